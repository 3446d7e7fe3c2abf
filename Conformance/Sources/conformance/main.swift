import Behaviours
import Foundation

// Each behaviour runs in a process of its own: an exception of Objective-C ends one, and its line says so.
let words = CommandLine.arguments
if words.count == 2, let number = Int(words[1]) {
    print(Behaviours.outcome(number), terminator: "")
    exit(0)
}
let program = Bundle.main.executableURL ?? URL(fileURLWithPath: words[0])
let outcomes = try Behaviours.names.indices.map { number in
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [String(number)]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: printed, as: UTF8.self) : "ends the program"
}
print(Behaviours.report(outcomes))
