import CoreData
import TestBasics
import Testing

@Suite struct ImportMemoryTests {
    /// Imports lines that are written to the program one after the other; gives its memory when all have been read.
    private func peakOfImport(_ count: Int, _ line: (Int) -> String) throws -> Int {
        let gallery = try Gallery(filling: false)
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = ["import", gallery.store.path, "-", "--from", "jsonl", "--model", gallery.model.path]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        var block = Data()
        for number in 0..<count {
            block += Data((line(number) + "\n").utf8)
            guard block.count > 1 << 20 || number == count - 1 else { continue }
            try input.fileHandleForWriting.write(contentsOf: block)
            block = Data()
        }
        // All but what fits into the pipe has been read, and nothing is over.
        let peak = Tool.peakMemory(of: process).map { $0 >> 20 }
        try input.fileHandleForWriting.close()
        process.waitUntilExit(within: .seconds(120))
        #expect(process.terminationStatus == 0)
        let rows = try Database.text(gallery.store, "SELECT count(*) FROM ZWORK")
        #expect(rows == "\(count)")
        return try #require(peak)
    }

    @Test("the memory of an import does not follow the number of objects, nor the length of their values (TOOL-17)")
    func memoryIsBounded() throws {
        let scale = TestSeed.isExhaustive ? 20 : 1
        let many = try peakOfImport(20_000 * scale) {
            #"{"objectID":"Work/p\#($0 + 1)","entity":"Work","attributes":{"code":"c\#($0)","large":\#($0)},"#
                + #""relationships":{"original":"Work/p\#(20_000 * scale - $0)"}}"#
        }
        #expect(many <= 128, "\(many) MB")
        let long = String(repeating: "AAAA", count: 24_000)
        let large = try peakOfImport(1500 * scale) { #"{"entity":"Work","code":"c\#($0)","image":"\#(long)"}"# }
        #expect(large <= 128, "\(large) MB")
    }
}
