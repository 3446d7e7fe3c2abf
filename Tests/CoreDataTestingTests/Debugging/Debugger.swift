import Foundation
import TestBasics
import Testing

/// The toolchain's LLDB, run on `DebuggedChild`.
enum Debugger {
    static let missing =
        "LLDB of the Swift toolchain does not run: it needs the Python that it was built with, libpython3.10"

    /// Whether LLDB runs, also with a Python of pyenv, and can read Swift.
    static var isThere: Bool { environment != nil }

    /// The environment with which LLDB runs; nil if it does not.
    private static let environment: [String: String]? = {
        let inherited = ProcessInfo.processInfo.environment
        let versions = URL(fileURLWithPath: inherited["PYENV_ROOT"] ?? NSHomeDirectory() + "/.pyenv")
            .appendingPathComponent("versions")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions.path)) ?? []
        let pythons = names.filter { $0.hasPrefix("3.10.") }.map { versions.appendingPathComponent($0).path }
        let choices =
            [inherited]
            + pythons.map {
                inherited.merging(["LD_LIBRARY_PATH": $0 + "/lib", "PYTHONHOME": $0]) { $1 }
            }
        return choices.first { run(["--version"], $0)?.contains("Swift version") == true }
    }()

    /// The output of a session with these commands, which ends the program.
    static func session(_ commands: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("commands")
        try Data((commands + ["quit"]).joined(separator: "\n").utf8).write(to: file)
        return run(["--batch", "--no-lldbinit", "-s", file.path, Child.url("DebuggedChild").path], environment ?? [:])
            ?? ""
    }

    /// The script with the summaries.
    static let script: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("Scripts/lldb/coredata_lldb.py").path
    }()

    private static func run(_ arguments: [String], _ environment: [String: String]) -> String? {
        guard let program = try? Toolchain.url("swift").resolvingSymlinksInPath() else { return nil }
        let process = Process()
        let output = Pipe()
        process.executableURL = program.deletingLastPathComponent().appendingPathComponent("lldb")
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        guard (try? process.run()) != nil else { return nil }
        var bytes = Data()
        process.waitUntilExit(within: .seconds(300)) { bytes = output.fileHandleForReading.readDataToEndOfFile() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
