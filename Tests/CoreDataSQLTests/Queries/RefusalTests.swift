import CoreDataFoundation
import CoreDataSQL
import Testing

/// What has no SQL is refused before the database is asked, in words that name the part and the reason.
@MainActor
@Suite("Refused predicates")
struct RefusalTests {
    private var world: QueryWorld { DifferentialTests.world }

    private static let formats: [(String, [Any?])] = [
        ("age > 5", []), ("department.nmae == 'a'", []), ("_storage == nil", []), ("salary > 5", []),
        ("name.first == 'a'", []), ("entity.title == 'Person'", []), ("reports.small > 5", []), ("reports == nil", []),
        ("reports.name BEGINSWITH 'a'", []), ("reports.reports.name == 'a'", []), ("ANY small > 5", []),
        ("ANY department.name == 'a'", []), ("extra == %@", [Data([1])]), ("extra IN %@", [[1, 2]]),
        ("film == %@", [Data([1])]), ("similar == nil", []), ("small BEGINSWITH 'a'", []), ("born LIKE '2*'", []),
        ("name CONTAINS 5", []), ("token MATCHES 'a'", []), ("name + 1 == 2", []), ("born * 2 > 5", []),
        ("uppercase(small) == 'A'", []), ("random() < 2", []), ("name[0] == 'x'", []), ("reports[FIRST] == boss", []),
        ("mode({small, medium}) == 1", []), ("name == $missing", []), ("ANYKEY == 1", []),
        ("reports.@median.small == 1", []), ("reports.@sum.name == 1", []), ("count(distinct(reports.name)) > 1", []),
        ("SUBQUERY(department, $d, $d.name == 'a').@count > 1", []),
        ("SUBQUERY(reports.department, $d, $d.name == 'a').@count > 1", []),
        ("TERNARY(flag == YES, small, name) == 1", []), ("TERNARY(flag == YES, boss, nil) == nil", []),
        ("entity.name == name", []), ("CAST(extra, 'NSString') == 'x'", []), ("distinct(small) == 1", []),
        ("small IN {small, reports}", []), ("name MATCHES '('", []), ("small BETWEEN {1, 2, 3}", []),
        ("small IN 5", []), ("castObject:toType:(name, 'NSTask') == 'x'", []), ("reports UNION friends == nil", []),
    ]

    @Test("refusals name the part that has no SQL and why (PRD-27, HAZ-54)")
    func refusalsNameThePart() throws {
        var entries: [GoldenFile.Entry] = []
        for (format, arguments) in Self.formats {
            let predicate = try NSPredicate(parsing: format, arguments: arguments)
            let error = try #require(throws: (any Error).self, "\(format)") { try world.compiled(predicate) }
            entries.append(GoldenFile.Entry(title: format, lines: ["    \(error)"]))
        }
        #expect(entries.count >= 25)
        let file = try GoldenFile("Refusals")
        if GoldenFile.isRecording { try file.record(entries, version: "Refusals") }
        let differences = try GoldenFile("Refusals").differences(from: entries, version: "Refusals")
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("Values never stand in a refusal")
    func valuesAreLeftOut() throws {
        for format in ["small BEGINSWITH %@", "extra == %@", "ANY small == %@", "uppercase(%@) == small + name"] {
            let predicate = try NSPredicate(parsing: format, arguments: ["secret"])
            let error = try #require(throws: (any Error).self) { try world.compiled(predicate) }
            #expect(!"\(error)".contains("secret"), "\(format)")
        }
    }
}
