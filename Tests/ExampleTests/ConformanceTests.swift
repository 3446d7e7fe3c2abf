import Behaviours
import CoreData
import Testing

/// The behaviours that are compared with Apple's framework on a Mac.
@Suite @MainActor struct ConformanceTests {
    private static let expected = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Conformance/Expected.json")

    @Test("All behaviours of Conformance/ are what Expected.json has; OPENCOREDATA_WRITE_PAGES=1 writes it")
    func allBehavioursOfConformanceAreWhatExpectedJson() throws {
        let report = Behaviours.report(Behaviours.names.indices.map { Behaviours.outcome($0) }) + "\n"
        if ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_PAGES"] == "1" {
            try Data(report.utf8).write(to: Self.expected)
        }
        let expected = try String(contentsOf: Self.expected, encoding: .utf8)
        let (found, known) = (report.split(separator: "\n"), expected.split(separator: "\n"))
        let differing = found.filter { !known.contains($0) } + known.filter { !found.contains($0) }
        #expect(differing.isEmpty, "\(differing.joined(separator: "\n"))")
        #expect(Behaviours.names.count >= 300 && Set(Behaviours.names).count == Behaviours.names.count)
    }
}
