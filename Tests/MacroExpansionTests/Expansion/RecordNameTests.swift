import Testing

@testable import MacroExpansion

@Suite struct RecordNameTests {
  private func name(_ macro: String, _ suffix: String, type: String = "A", alias: String? = nil) -> String {
    var request = request(
      macro, "@\(macro)(P.self)", on: "final class A {}", discriminator: "$s4Cart1A9\(macro)\(suffix)")
    if let alias { request.macroName = alias }
    return recordName(request, type)
  }

  @Test(arguments: ["ExportService": "__service", "ExportRoute": "__route"])
  func `Every attribute on a type has a name that the macro announces`(macro: String, prefix: String) {
    let suffixes = ["fMp_", "fMp0_", "fMp1_", "fMp2_"]
    #expect(suffixes.map { name(macro, $0) } == ["", "1", "2", "3"].map { "\(prefix)\($0)_A" })
  }

  @Test func `The name of a module's record differs from that of a service's record`() {
    #expect(name("ExportModule", "fMp_") == "__module_A")
  }

  @Test(arguments: ["fMp3_", "fMp10_", "fMp99999999999999999999_", "", "fMm_", "fMp", "fMpx_"])
  func `Beyond the announced names, a name has the compiler's form`(suffix: String) {
    #expect(name("ExportService", suffix) == "$s4Cart1A9ExportService\(suffix)8RegistryfMu_")
  }

  @Test(arguments: ["é", "a b", "A-B", "🦊"])
  func `A type whose name is not a plain word has a record too`(type: String) {
    #expect(name("ExportService", "fMp_", type: type) == "$s4Cart1A9ExportServicefMp_8RegistryfMu_")
  }

  @Test(arguments: [
    "ExportService ", "Registry.ExportService", "Registry::ExportService ", "ExportService<any P>", "`ExportService`",
    "ExportService\n  ", "ExportService/* x */ ", "Registry.`ExportService`// x\n", " ExportService",
  ])
  func `The name is announced for every spelling of the attribute`(spelling: String) {
    #expect(name("ExportService", "fMp_", alias: spelling) == "__service_A")
  }

  @Test(arguments: ["", ".", "/", "ExportService.", "ExportServices", "Export.Module"])
  func `A spelling that is not the macro's has the compiler's form`(spelling: String) {
    #expect(name("ExportService", "fMp_", alias: spelling) == "$s4Cart1A9ExportServicefMp_8RegistryfMu_")
  }

  @Test func `A macro of another name announces nothing`() {
    #expect(name("ExportService", "fMp_", alias: "Export") == "$s4Cart1A9ExportServicefMp_8RegistryfMu_")
    #expect(name("ExportModule", "fMp0_") == "$s4Cart1A9ExportModulefMp0_8RegistryfMu_")
  }

  @Test(
    arguments: [
      ("$s1a1AfMp_", 0), ("$s1a1AfMp0_", 1), ("$s1a1AfMp41_", 42), ("$s1a1AfMp4294967296_", nil),
      ("fMp", nil), ("_", nil), ("", nil), ("1_", nil), ("$s1a1A_", nil),
    ] as [(String, Int?)])
  func `Attributes are counted from the discriminator`(discriminator: String, number: Int?) {
    #expect(attributeNumber(discriminator) == number)
  }
}
