// SOURCE of this file: runtime.h, objc.h, and message.h of objc4-951.1,
// github:apple-oss-distributions/objc4.
//
// The declarations of runtime.h and message.h that the package and the samples use.
#pragma once
#include "ObjectiveC.h"

typedef struct objc_method *Method;
typedef struct objc_ivar *Ivar;
typedef struct objc_category *Category;
typedef struct objc_property *objc_property_t;
typedef void (*IMP)(void);
typedef __SIZE_TYPE__ size_t;

struct objc_method_description {
  SEL _Nullable name;
  char *_Nullable types;
};

typedef enum __attribute__((enum_extensibility(open))) objc_AssociationPolicy : unsigned long {
  OBJC_ASSOCIATION_ASSIGN = 0,
  OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
  OBJC_ASSOCIATION_COPY_NONATOMIC = 3,
  OBJC_ASSOCIATION_RETAIN = 01401,
  OBJC_ASSOCIATION_COPY = 01403
} objc_AssociationPolicy;

Class _Nullable objc_getClass(const char *_Nonnull name);
Class _Nullable objc_lookUpClass(const char *_Nonnull name);
Protocol *_Nullable objc_getProtocol(const char *_Nonnull name);
Class _Nullable objc_allocateClassPair(Class _Nullable superclass, const char *_Nonnull name, size_t extraBytes);
void objc_registerClassPair(Class _Nonnull cls);
id _Nullable objc_getAssociatedObject(id _Nonnull object, const void *_Nonnull key);
void objc_setAssociatedObject(id _Nonnull object, const void *_Nonnull key, id _Nullable value,
                              objc_AssociationPolicy policy);

Class _Nullable object_getClass(id _Nullable obj);
Class _Nullable object_setClass(id _Nullable obj, Class _Nonnull cls);
BOOL object_isClass(id _Nullable obj);

const char *_Nonnull class_getName(Class _Nullable cls);
Class _Nullable class_getSuperclass(Class _Nullable cls);
BOOL class_isMetaClass(Class _Nullable cls);
Method _Nullable class_getInstanceMethod(Class _Nullable cls, SEL _Nonnull name);
Method _Nullable class_getClassMethod(Class _Nullable cls, SEL _Nonnull name);
IMP _Nullable class_getMethodImplementation(Class _Nullable cls, SEL _Nonnull name);
BOOL class_respondsToSelector(Class _Nullable cls, SEL _Nonnull sel);
Method _Nonnull *_Nullable class_copyMethodList(Class _Nullable cls, unsigned int *_Nullable outCount);
BOOL class_conformsToProtocol(Class _Nullable cls, Protocol *_Nullable protocol);
BOOL class_addMethod(Class _Nullable cls, SEL _Nonnull name, IMP _Nonnull imp, const char *_Nullable types);
IMP _Nullable class_replaceMethod(Class _Nullable cls, SEL _Nonnull name, IMP _Nonnull imp,
                                  const char *_Nullable types);
BOOL class_addProtocol(Class _Nullable cls, Protocol *_Nonnull protocol);

SEL _Nonnull method_getName(Method _Nonnull m);
IMP _Nonnull method_getImplementation(Method _Nonnull m);
const char *_Nullable method_getTypeEncoding(Method _Nonnull m);
IMP _Nonnull method_setImplementation(Method _Nonnull m, IMP _Nonnull imp);
void method_exchangeImplementations(Method _Nonnull m1, Method _Nonnull m2);

const char *_Nonnull protocol_getName(Protocol *_Nonnull proto);
BOOL protocol_isEqual(Protocol *_Nullable proto, Protocol *_Nullable other);
struct objc_method_description protocol_getMethodDescription(Protocol *_Nonnull proto, SEL _Nonnull aSel,
                                                             BOOL isRequiredMethod, BOOL isInstanceMethod);
struct objc_method_description *_Nullable protocol_copyMethodDescriptionList(Protocol *_Nonnull proto,
                                                                             BOOL isRequiredMethod,
                                                                             BOOL isInstanceMethod,
                                                                             unsigned int *_Nullable outCount);

const char *_Nonnull sel_getName(SEL _Nonnull sel);
SEL _Nonnull sel_registerName(const char *_Nonnull str);
BOOL sel_isEqual(SEL _Nonnull lhs, SEL _Nonnull rhs);

IMP _Nonnull imp_implementationWithBlock(id _Nonnull block);
id _Nullable imp_getBlock(IMP _Nonnull anImp);
BOOL imp_removeBlock(IMP _Nonnull anImp);
