import Foundation

let url = URL(fileURLWithPath: "modules.json")
