import Foundation
import TestBasics
import Testing

/// Long commands on a terminal, which is a pseudo terminal that `script` makes.
@Suite(.timeLimit(.minutes(5))) struct PseudoTerminalTests {
    private static let script = ["/usr/bin/script", "/bin/script"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private let gallery: Gallery
    private var target: URL { gallery.file("Big.sqlite") }

    init() throws { gallery = try Gallery(filling: false) }

    /// A file of so many objects, which takes some seconds to import.
    private func source(_ count: Int) throws -> URL {
        let file = gallery.file("big.jsonl")
        let lines = (0..<count).map { "{\"entity\":\"Work\",\"code\":\"W\($0)\"}\n" }
        try Data(lines.joined().utf8).write(to: file)
        return file
    }

    /// Starts the command on a terminal; what it prints goes to a file, and what is written to the pipe is typed there.
    private func start(_ source: URL, _ output: URL, _ keyboard: Pipe) throws -> Process {
        try start(
            "import '\(target.path)' '\(source.path)' --create --model '\(gallery.model.path)'", output, keyboard)
    }

    private func start(_ command: String, _ output: URL, _ keyboard: Pipe) throws -> Process {
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.script))
        process.arguments = [
            "-qefc", "'\(Tool.url.path)' \(command)", "/dev/null",
        ]
        process.standardInput = keyboard
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func text(_ output: URL) -> String {
        String(decoding: (try? Data(contentsOf: output)) ?? Data(), as: UTF8.self)
    }

    @Test(
        "a long command shows how far it is on a terminal, and takes the line away (TOOL-24)",
        .enabled(if: script != nil))
    func progressIsShown() throws {
        let output = gallery.file("output")
        let process = try start(source(300_000), output, Pipe())
        process.waitUntilExit(within: .seconds(120))
        let text = text(output)
        #expect(process.terminationStatus == 0, "\(text.suffix(300))")
        let bar = try #require(text.range(of: "\r\u{1B}[K"))
        #expect(text[bar.upperBound...].firstMatch(of: /importing: \[[#.]+\] \d+ %/) != nil, "\(text.suffix(300))")
        let last = try #require(text.range(of: "\r\u{1B}[K", options: .backwards))
        #expect(!text[last.upperBound...].contains("importing: ["))
    }

    @Test("Ctrl-C ends a long command with 130, and leaves nothing (TOOL-24)", .enabled(if: script != nil))
    func ctrlCEndsLongCommandWith130() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path)
        let (output, keyboard) = (gallery.file("output"), Pipe())
        let process = try start(source(300_000), output, keyboard)
        eventually("the progress bar") { text(output).contains("importing: [") }
        try keyboard.fileHandleForWriting.write(contentsOf: Data([3]))
        process.waitUntilExit(within: .seconds(60))
        #expect(process.terminationStatus == 130, "\(text(output).suffix(300))")
        let after = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path)
        #expect(Set(after).subtracting(["output", "big.jsonl"]) == Set(before))
    }

    @Test(
        "a copy of another kind shows how far it is, and Ctrl-C leaves nothing of it (TOOL-16, TOOL-24)",
        .enabled(if: script != nil))
    func interruptedCopy() throws {
        let (output, keyboard) = (gallery.file("output"), Pipe())
        try start(source(300_000), output, Pipe()).waitUntilExit(within: .seconds(120))
        let before = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path)
        let copy = gallery.file("Copy.xml")
        let process = try start(
            "copy '\(target.path)' '\(copy.path)' --model '\(gallery.model.path)'", output, keyboard)
        eventually("the progress bar") { text(output).contains("copying: [") }
        try keyboard.fileHandleForWriting.write(contentsOf: Data([3]))
        process.waitUntilExit(within: .seconds(60))
        #expect(process.terminationStatus == 130, "\(text(output).suffix(300))")
        let after = try FileManager.default.contentsOfDirectory(atPath: gallery.folder.url.path)
        #expect(Set(after) == Set(before))
    }
}
