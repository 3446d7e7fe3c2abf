import CoreData
import TestBasics
import Testing

/// `coredata browse`, running; what it prints goes to a file.
final class BrowseServer {
    let process = Process()
    let folder: URL
    private let output: URL
    private let errors: URL

    init(_ store: URL, _ arguments: [String], in folder: URL? = nil) throws {
        self.folder = try folder ?? Scratch.folder()
        let number = UUID().uuidString
        output = self.folder.appendingPathComponent("output-\(number)")
        errors = self.folder.appendingPathComponent("errors-\(number)")
        for file in [output, errors] { try Data().write(to: file) }
        process.executableURL = Tool.url
        process.arguments = ["browse", store.path, "--no-open"] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["XDG_STATE_HOME": self.folder.path]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    var errorText: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }
    var port: Int {
        text.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    func end(_ signal: Int32) {
        if signal == SIGINT { process.interrupt() } else { process.terminate() }
        process.waitUntilExit(within: .seconds(30))
    }
}
