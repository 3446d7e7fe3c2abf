import CoreData
import StoreContract
import Testing

/// `coredata migrate --dry-run`.
struct MigrateDryRunTests {
    @Test(
        "a dry run prints the numbers before and after, validates every object and leaves the store untouched (MIG-21)")
    func dryRunComparesAndChangesNothing() throws {
        let almanac = try Almanac(heroes: 40)
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let pictures = almanac.folder.appendingPathComponent(".Almanac_SUPPORT/_EXTERNAL_DATA")
        let files = try FileManager.default.contentsOfDirectory(atPath: pictures.path)
        let outcome = try almanac.migrate("--dry-run")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let words = Set(
            outcome.output.split(separator: "\n").map { line in
                line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
            })
        for line in [
            "Hero 41 41", "name 41 41 same", "picture 1 1 same", "age 2 2 same", "powers 40 40 same", "Event 2 2",
            "(new) -> City - 0", "valid 83 of 83 objects", "file sound",
            "nothing is wrong with the copy; the store is as it was",
        ] { #expect(words.contains(line), "\(line) in \(outcome.output)") }
        #expect(try FolderState(around: almanac.store) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: pictures.path) == files)
        #expect(try almanac.with("One") { try $0.all("Hero").count } == 41)
    }

    @Test("a dry run says what becomes of each element of a composite attribute (MIG-21)")
    func elementsOfCompositesAreNamed() throws {
        let gallery = try Gallery()
        let version = gallery.file("Elements.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let elements = [
            #"<attribute name="room" optional="YES" attributeType="String"/>"#,
            #"<attribute name="height" optional="YES" attributeType="Double"/>"#,
        ]
        let source = Gallery.source.replacing(
            elements[0], with: #"<attribute name="chamber" elementID="room" optional="YES" attributeType="String"/>"#
        ).replacing(elements[1], with: #"<attribute name="depth" optional="YES" attributeType="Double"/>"#)
        try Data(source.utf8).write(to: version.appendingPathComponent("contents"))
        let outcome = try Tool.run(["migrate", gallery.store.path, "--to", version.path, "--dry-run"])
        let lines = outcome.output.split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for line in ["place.room -> place.chamber 3 3 same", "place.height -> (dropped) 3 - lost"] {
            #expect(lines.count { $0 == line } == 2, "\(line) in \(outcome.output)")
        }
        #expect(lines.contains("(new) -> place.depth - 0"), "\(outcome.output)")
        #expect(lines.contains { $0.hasPrefix("lost attribute Work.place.height: 6 values") }, "\(outcome.output)")
        #expect(!outcome.output.contains("DIFFER") && outcome.output.contains("othing is wrong"), "\(outcome.output)")
    }

    @Test func dryRunIsJSONForPrograms() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        let report: [String: Any] = try almanac.migrate("--dry-run", "--format", "json").json()
        #expect(report["result"] as? String == "passed")
        let comparisons = try #require(report["comparisons"] as? [[String: Any]])
        #expect(comparisons.map { $0["from"] as? String } == ["One"])
        let properties = try #require(comparisons.first?["properties"] as? [[String: Any]])
        let picture = try #require(properties.first { $0["name"] as? String == "picture" })
        #expect(picture["before"] as? Int == 1)
        #expect(picture["after"] as? Int == 1)
        #expect(picture["agrees"] as? Bool == true)
        let validation = try #require(report["validation"] as? [String: Any])
        #expect(validation["objects"] as? Int == 9)
        #expect(validation["invalid"] as? Int == 0)
        #expect((report["faults"] as? [String])?.isEmpty == true)
    }

    @Test(
        "objects that break rules of the new version are reported by property and number, without their values (MIG-21)"
    )
    func objectsThatBreakNewRulesAreReported() throws {
        let almanac = try Almanac(heroes: 4)
        defer { almanac.remove() }
        let before = try FolderState(around: almanac.store)
        let outcome = try almanac.migrate("--version", "Strict", "--dry-run")
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("valid   7 of 11 objects"), "\(outcome.output)")
        #expect(outcome.output.contains("broken  Hero.name: 4 objects [1660]"), "\(outcome.output)")
        #expect(!(outcome.output + outcome.errors).contains("Hero 1"))
        let report: [String: Any] = try almanac.migrate(
            "--version", "Strict", "--dry-run", "--format", "json"
        ).json()
        #expect(report["result"] as? String == "failed")
        let failures = try #require((report["validation"] as? [String: Any])?["failures"] as? [[String: Any]])
        #expect(failures.map { $0["property"] as? String } == ["name"])
        #expect(failures.map { $0["objects"] as? Int } == [4])
        #expect(try FolderState(around: almanac.store) == before)
    }

    @Test func lossesAreCountedAndNothingElseIsMissing() throws {
        let almanac = try Almanac(heroes: 4)
        defer { almanac.remove() }
        let outcome = try almanac.migrate("--version", "Small", "--dry-run")
        #expect(outcome.code == 3)
        #expect(outcome.output.contains("Power -> (dropped)"), "\(outcome.output)")
        #expect(outcome.output.contains("lost    entity Power: 4 objects"))
        #expect(outcome.output.contains("nothing is wrong with the copy"))
        #expect(try almanac.migrate("--version", "Small", "--dry-run", "--allow-loss").code == 0)
    }

    @Test func whatStandsInTheLogIsCopied() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        // The files of a program that ended without closing the store.
        let crashed = try Scratch.folder().appendingPathComponent("Crashed.sqlite")
        defer { try? FileManager.default.removeItem(at: crashed.deletingLastPathComponent()) }
        try almanac.with("One") { context in
            context.insert("Hero", ["name": "Late"])
            try context.save()
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: almanac.store.path + suffix, toPath: crashed.path + suffix)
            }
        }
        let before = try FolderState(around: crashed)
        let outcome = try Tool.run("migrate", crashed.path, "--to", almanac.package, "--dry-run", "--format", "json")
        let report: [String: Any] = try outcome.json()
        let entities = try #require((report["comparisons"] as? [[String: Any]])?[0]["entities"] as? [[String: Any]])
        #expect(entities.first { $0["new"] as? String == "Hero" }?["after"] as? Int == 5)
        #expect(try FolderState(around: crashed) == before)
    }

    @Test func refusalsAreThoseOfTheMigration() throws {
        let almanac = try Almanac()
        defer { almanac.remove() }
        expectRefusal(try almanac.migrate("--version", "Retyped", "--dry-run"), containing: "[134140]")
        expectRefusal(try almanac.migrate("--version", "Unique", "--dry-run"), containing: "[134111]")
        #expect(try almanac.migrate("--version", "One", "--dry-run").output.hasSuffix("already\n"))
    }
}
