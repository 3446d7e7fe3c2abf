import CoreDataSourcePorting
import Foundation
import TestBasics
import Testing

@Suite struct SampleTests {
    @Test("samples become what the golden files say", arguments: ["HeroModel", "StoreTests", "Hard", "TripsApp"])
    func samplesBecomeWhatGoldenFilesSay(_ sample: String) throws {
        let workshop = try Workshop(sample: sample)
        defer { workshop.remove() }
        let port = try workshop.port()
        try port.write()
        let made = try workshop.sources()
        if ProcessInfo.processInfo.environment["OPENCOREDATA_RECORD"] != nil { try record(made, sample) }
        let golden = try Workshop.kept("\(sample).golden")
        #expect(Set(made.keys) == Set(golden.keys.map { "\(sample)/\($0)" }) && !made.isEmpty)
        for (name, text) in golden { #expect(made["\(sample)/\(name)"] == text, "\(name)") }
    }

    /// Keeps what porting makes of a sample, for a look at the difference before it is committed.
    private func record(_ made: [String: String], _ sample: String) throws {
        let folder = Workshop.samples.appendingPathComponent("\(sample).golden")
        try? FileManager.default.removeItem(at: folder)
        for (name, text) in made {
            let file = folder.appendingPathComponent("\(name.dropFirst(sample.count + 1)).sample")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    @Test("a second run changes nothing", arguments: ["HeroModel", "StoreTests", "Hard", "TripsApp"])
    func secondRunChangesNothing(_ sample: String) throws {
        let workshop = try Workshop(sample: sample)
        defer { workshop.remove() }
        let first = try workshop.port()
        try first.write()
        let second = try workshop.port()
        #expect(!first.files.isEmpty && second.files.isEmpty)
        #expect(second.findings.map(\.message) == first.findings.map(\.message))
    }

    @Test("ported samples pass the compiler", .timeLimit(.minutes(20)), arguments: ["HeroModel", "StoreTests"])
    func portedSamplesPassCompiler(_ sample: String) throws {
        let modules = try #require(Toolchain.modules)
        let workshop = try Workshop(sample: sample)
        defer { workshop.remove() }
        let port = try workshop.port()
        // Where the tests' model is nobody can tell from the sources.
        #expect(port.findings.map(\.message).allSatisfy { $0.hasPrefix("Bundle(for:)") })
        let before = try workshop.sources().keys.map { workshop.folder.appendingPathComponent($0).path }
        let (failed, _) = try Toolchain.run("swiftc", arguments(modules) + before)
        #expect(failed != 0, "the sample needs no porting")
        try port.write()
        let after = try workshop.sources().keys.map { workshop.folder.appendingPathComponent($0).path }
        let (code, output) = try Toolchain.run("swiftc", arguments(modules) + after)
        #expect(code == 0, "\(output)")
    }

    private func arguments(_ modules: URL) -> [String] {
        ["-typecheck", "-swift-version", "5"] + Toolchain.flags(modules: modules)
    }

    @Test("what is left to do in the hard sample is reported by its place")
    func whatIsLeftToDoInHardSampleIsReportedByItsPlace() throws {
        let workshop = try Workshop(sample: "Hard")
        defer { workshop.remove() }
        let findings = try workshop.port().findings
        let places = findings.map { "\($0.line):\($0.column) \($0.message.prefix { $0 != ":" && $0 != " " })" }
        #expect(
            places == [
                "6:11 an", "10:7 Draft", "16:22 keyPathsForValuesAffectingTitle",
                "23:19 observeValue", "30:23 the", "31:68 no", "33:22 responds", "33:35 no",
            ])
    }
}
