/// Expands the macro to a record. Its accessor passes the arguments, except the group, to a method.
func expandOnEvent(_ use: MacroUse) -> String? {
  var json = JSONObject()
  json.set("event", use.required().map { use.source.normalized($0) })
  json.set("handler", use.place)
  json.set("priority", use.integer("priority"))
  json.set("once", use.boolean("once"))
  json.setGroup(use.text("group"))
  // The record contains neither the unlabeled timing, nor a task's priority, nor a handler in
  // parentheses.
  use.skip(nil, "taskPriority", "handler")
  guard use.isValid() else { return nil }
  let handler = """
    return unsafe Lifecycle::__provideHandler(__out, __type) { __handlers in
    \(use.call("on", of: "__handlers"))
    }
    """
  return use.freeRecords(.handler, [(handler, json)])
}
