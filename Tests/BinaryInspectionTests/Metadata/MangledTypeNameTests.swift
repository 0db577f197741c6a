import Testing

@testable import BinaryInspection

@Suite struct MangledTypeNameTests {
  /// Compares paths with those of the demangler, for names that the compiler has mangled.
  @Test(
    "symbols of descriptors contain the path",
    arguments: [
      ("$s4Cart7DefaultCMn", "Cart.Default"), ("_$s4Cart5OuterV5InnerCMn", "Cart.Outer.Inner"),
      ("$sSSMn", "Swift.String"), ("$sSaMn", "Swift.Array"), ("$sScTMn", "Swift.Task"), ("$ss5NeverOMn", "Swift.Never"),
      ("$sSS8EncodingV4CartE5InnerVMn", "Swift.String.Encoding.Inner"),
      ("$s10Foundation3URLV4CartE5InnerCMn", "Foundation.URL.Inner"), ("$sSS4CartE5InnerVMn", "Swift.String.Inner"),
      ("$sSo8NSObjectC4CartE5InnerVMn", "__C.NSObject.Inner"),
      ("$s4Cart6Hidden33_81DD018C9DDF1C024671A4BED2D7CC8CLLC4DeepVMn", "Cart.Hidden.Deep"),
      // These names repeat words of earlier names, such as Cart and then CartService.
      ("$s8CartShop0A7ServiceCMn", "CartShop.CartService"), ("$s8CartShop0aB0VMn", "CartShop.CartShop"),
      ("$s8CartShop0A0CMn", "CartShop.Cart"), ("$s7ShopAPI0A7ServiceMp", "ShopAPI.ShopService"),
      ("$s7ShopAPI0A7ServicePMp", "ShopAPI.ShopService"),
      ("$s4Cart5OuterVAAE5InnerVMn", "Cart.Outer.Inner"), ("$s4CartMXM", "Cart"),
      // These names are local to a function, have generic arguments, or are no names of
      // descriptors.
      ("$s4Cart3runyyF5LocalL_VMn", nil), ("$s4Cart5OuterVMa", nil), ("$s", nil), ("", nil), ("malloc", nil),
      ("$s4Car", nil),
      ("$s99999999999999999999CartMn", nil), ("$s0Mn", nil), ("$s00Mn", nil), ("$s0a0Mn", nil),
      ("$s4CartAZE1aVMn", nil),
      ("$sSMn", nil), ("$sScMn", nil), ("$sA", nil), ("$s4Cart5Outer", nil),
    ] as [(String, String?)])
  func symbols(_ symbol: String, _ path: String?) {
    #expect(MangledTypeName.path(ofSymbol: symbol) == path)
  }

  @Test(
    "symbols of variables contain the path of their contexts",
    arguments: [
      ("$s4Cart5OuterV5countSivpZ", "Cart.Outer"), ("_$s4Cart5countSivp", "Cart"),
      ("$sSd4CartE5countSivpZ", "Swift.Double"),
      (
        "$sSi4CartE5InnerC10__module_x014_3BD1C34A0C2E2G17DB846AF27A6505D3FLLs6UInt32V_s6UInt64VtvpZ", "Swift.Int.Inner"
      ),
      ("$s10Foundation3URLV4CartE5count33_AALLSivpZ", "Foundation.URL"),
      ("$s4Cart66$s4Cart0024summerprices_cmaFFDEIena12ExportModulefMp_8RegistryfMu_33_AALLSivp", "Cart"),
      ("$s4Cart5OuterV5countSivgZ", nil), ("$s", nil), ("", nil), ("other", nil), ("$svp", nil),
    ] as [(String, String?)])
  func variables(_ symbol: String, _ path: String?) {
    #expect(MangledTypeName.context(ofVariable: symbol) == path)
  }

  @Test("a mangled type is its path, without generic arguments")
  func types() {
    #expect(MangledTypeName.path("10Foundation3URLV") == "Foundation.URL")
    #expect(MangledTypeName.path("SaySiG") == "Swift.Array")
    #expect(MangledTypeName.path("4Cart5OuterVy4Shop4ItemVG") == "Cart.Outer")
    #expect(MangledTypeName.path("4Cart5OuterVSgD") == nil)
  }

  @Test("words that repeat words do not create endless names")
  func growth() {
    // Each identifier consists of the words of all previous identifiers.
    var symbol = "$s2AB"
    for _ in 0..<40 { symbol += "0" + String(repeating: "a", count: 500) + "A2XyV" }
    #expect(MangledTypeName.path(ofSymbol: symbol + "Mn") == nil)
  }
}
