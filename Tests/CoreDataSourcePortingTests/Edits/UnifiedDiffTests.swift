import CoreData
import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

@Suite struct UnifiedDiffTests {
    @Test("the difference is what patch reads", .timeLimit(.minutes(20))) func differenceIsWhatPatchReads() throws {
        var random = SeededRandom(seed: 0x9047)
        for round in 0..<40 {
            let lines = (0..<Int.random(in: 0..<60, using: &random)).map { "line \($0)" }
            let tail = round.isMultiple(of: 3) ? "" : "\n"
            let before = Array((lines.joined(separator: "\n") + (lines.isEmpty ? "" : tail)).utf8)
            let edits = edits(before.count, &random)
            let file = PortedFile(path: "file", before: before, edits: edits)
            try expectPatch(file, file.difference, round)
            let texts = [file.before, file.after].map { String(decoding: $0, as: UTF8.self) }
            try expectPatch(file, UnifiedDiff(path: "file", from: texts[0], to: texts[1]).text, round)
        }
    }

    private func edits(_ count: Int, _ random: inout SeededRandom) -> [TextEdit] {
        var edits: [TextEdit] = []
        var place = 0
        for _ in 0..<Int.random(in: 1..<6, using: &random) where place <= count {
            let start = Int.random(in: place...count, using: &random)
            let end = min(count, start + Int.random(in: 0..<12, using: &random))
            edits.append(TextEdit(start..<end, ["", "x", "\n", "new\nlines\n"].randomElement(using: &random) ?? ""))
            place = end + 1
        }
        return edits
    }

    private func expectPatch(_ file: PortedFile, _ difference: String, _ round: Int) throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let target = try workshop.add("file", Data(file.before))
        let patch = try workshop.add("change.diff", difference)
        if file.before != file.after, !file.before.isEmpty {
            let (code, output) = try Toolchain.run("patch", ["-s", target.path, patch.path])
            #expect(code == 0, "round \(round): \(output)\n\(difference)")
        } else if !file.before.isEmpty {
            #expect(difference.isEmpty, "round \(round)")
        }
        guard !file.before.isEmpty else { return }
        let after = FileManager.default.contents(atPath: target.path)
        #expect(after == Data(file.after) || (after == nil && file.after.isEmpty), "round \(round)\n\(difference)")
    }

    @Test("a file that is made comes from nothing") func fileThatIsMadeComesFromNothing() {
        let file = PortedFile(path: "A.swift", before: [], edits: [TextEdit(0..<0, "a\nb\n")])
        #expect(file.difference == "--- /dev/null\n+++ A.swift\n@@ -0,0 +1,2 @@\n+a\n+b\n")
    }
}
