import CoreData
import ProgramKit

/// Resolves addresses to function names with the program `llvm-symbolizer`, and demangles Swift names.
enum SymbolTool {
    private static let timeLimit = 60.0

    /// The functions at addresses of a file, in the order of `addresses`; empty if `llvm-symbolizer` cannot be used.
    static func names(at addresses: [UInt64], in image: Trace.Image) -> [TraceSymbols.Frame?] {
        guard let program = ProgramSearch.find("llvm-symbolizer"),
            FileManager.default.isReadableFile(atPath: image.path),
            let output = try? run(program, addresses: addresses, image: image),
            let list = try? JSONSerialization.jsonObject(with: output),
            let answers = list as? [[String: Any]], answers.count == addresses.count
        else { return [] }
        return answers.map(frame)
    }

    private static func run(_ program: URL, addresses: [UInt64], image: Trace.Image) throws -> Data {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let files = ["input", "output"].map { folder.file($0) }
        let lines = addresses.map { "0x" + String($0, radix: 16) }.joined(separator: "\n")
        try Data((lines + "\n").utf8).write(to: files[0])
        try Data().write(to: files[1])
        let process = Process()
        process.executableURL = program
        process.arguments = ["--obj=" + image.path, "--output-style=JSON", "--no-inlines", "--no-demangle"]
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = FileHandle.nullDevice
        try process.run()
        let number = process.processIdentifier
        let deadline = DispatchWorkItem { if process.isRunning { kill(number, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeLimit, execute: deadline)
        process.waitUntilExit()
        deadline.cancel()
        // llvm-symbolizer writes one line of JSON for each address.
        let text = try Data(contentsOf: files[1])
        let parts = text.split(separator: UInt8(ascii: "\n"))
        return Data("[".utf8) + Data(parts.joined(separator: Data(",".utf8))) + Data("]".utf8)
    }

    private static func frame(_ answer: [String: Any]) -> TraceSymbols.Frame? {
        guard let symbol = (answer["Symbol"] as? [[String: Any]])?.first,
            let mangled = symbol["FunctionName"] as? String, !mangled.isEmpty
        else { return nil }
        let name = readable(mangled)
        let file = (symbol["FileName"] as? String ?? "").split(separator: "/").last.map(String.init)
        let line = symbol["Line"] as? Int ?? 0
        return TraceSymbols.Frame(
            name: name, place: line > 0 ? file.map { "\($0):\(line)" } : nil, isLibrary: SymbolModule.isLibrary(name))
    }

    private typealias Demangling =
        @convention(c) (
            UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
        ) -> UnsafeMutablePointer<CChar>?

    /// The Swift runtime's function `swift_demangle`; nil if the process does not have it.
    private static let demangling: Demangling? = dlsym(dlopen(nil, RTLD_NOW), "swift_demangle").map {
        unsafeBitCast($0, to: Demangling.self)
    }

    /// A name as the source has it, without what the compiler adds.
    static func readable(_ mangled: String) -> String {
        guard mangled.hasPrefix("$s") || mangled.hasPrefix("$S"), let demangling,
            let text = demangling(mangled, mangled.utf8.count, nil, nil, 0)
        else { return mangled }
        defer { free(text) }
        return String(cString: text)
    }
}
