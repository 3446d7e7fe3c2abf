import Foundation

/// The compiler of the toolchain that runs the tests.
enum SwiftCompiler {
    /// Runs the compiler; what it says goes to a file, so that no pipe can fill up.
    static func run(_ arguments: [String]) throws -> (code: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).log")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardError = try FileHandle(forWritingTo: file)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8))
    }

    /// The folder of the modules of this build, beside the tests' own program; nil where builds put it elsewhere.
    static var modules: URL? {
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folder = program.deletingLastPathComponent().appendingPathComponent("Modules")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }

    /// What the compiler needs to see the library: its modules, and the C modules that they are made of.
    static func flags(modules: URL) -> [String] {
        let build = modules.deletingLastPathComponent()
        let maps = ["CSQLite", "CZlib", "CSwiftRuntime"].flatMap {
            ["-Xcc", "-fmodule-map-file=\(build.path)/\($0).build/module.modulemap"]
        }
        return ["-I", modules.path] + maps
    }
}
