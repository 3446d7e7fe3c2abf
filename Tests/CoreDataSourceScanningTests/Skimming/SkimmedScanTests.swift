import CoreDataSourceScanning
import Dispatch
import Synchronization
import TestBasics
import Testing

/// Scans of sources with hidden bodies find what scans of whole sources find.
@Suite(.timeLimit(.minutes(20))) struct SkimmedScanTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func sources() throws -> [URL] {
        try ["Sources", "Tests", "Examples"].flatMap { folder in
            let all = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            return try #require(all).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        }
    }

    @Test("both scans of this package's own sources are the same (TOOL-02)") func ownSources() throws {
        let sources = try Self.sources()
        #expect(sources.count > 500)
        // A third of them has the forms of all; `make soak` scans each.
        let files = sources.sorted { $0.path < $1.path }.enumerated()
            .filter { TestSeed.isExhaustive || $0.offset % 3 == 0 }.map(\.element)
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        let outcomes = Mutex<[(file: String, agrees: Bool, share: Double, isDoubtful: Bool)]>([])
        DispatchQueue.concurrentPerform(iterations: texts.count) { index in
            let skimming = Skimming(texts[index])
            let outcome = (
                files[index].path, skimming.agrees, skimming.hiddenShare * Double(texts[index].utf8.count),
                skimming.skimmed == nil
            )
            outcomes.withLock { $0.append(outcome) }
        }
        let all = outcomes.withLock { $0 }
        for outcome in all where !outcome.agrees { Issue.record("The scans of \(outcome.file) differ.") }
        let doubtful = all.filter(\.isDoubtful).map(\.file).sorted()
        #expect(doubtful.count * 20 < all.count, "\(doubtful.joined(separator: "\n"))")
        let hidden = all.reduce(0) { $0 + $1.share } / Double(texts.reduce(0) { $0 + $1.utf8.count })
        #expect(hidden > 0.5, "\(hidden)")
    }

    @Test("both scans of hard sources are the same (TOOL-02)", arguments: HardSources.clear)
    func hardSources(_ source: String) {
        let skimming = Skimming(source)
        #expect(skimming.skimmed != nil)
        #expect(skimming.agrees)
    }

    @Test("both scans of sources with random edits are the same where they are Swift (TOOL-02)")
    func bothScansOfSourcesWithRandomEditsAreSameWhereTheyAreSwift() {
        let alphabet = Array("{}()[]\"\"\"##//\\`'*;:@.,=<>?! \n\r\tafx1é".utf8)
        let valid = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { part in
            var random = SeededRandom(seed: UInt64(part))
            for round in 0..<250 {
                var bytes = Array(HardSources.clear[random.next(below: HardSources.clear.count)].utf8)
                for _ in 0...random.next(below: 3) {
                    let place = random.next(below: bytes.count)
                    switch random.next(below: 3) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes.insert(alphabet[random.next(below: alphabet.count)], at: place)
                    default: bytes.removeSubrange(place..<min(place + random.next(below: 12), bytes.count))
                    }
                }
                let skimming = Skimming(String(decoding: bytes, as: UTF8.self))
                // What is no Swift is the compiler's to refuse, whatever is found in it.
                guard skimming.isSwift else { continue }
                valid.add(1, ordering: .relaxed)
                #expect(skimming.agrees, "seed \(part), round \(round): \(skimming.source)")
            }
        }
        #expect(valid.load(ordering: .relaxed) > 100)
    }
}
