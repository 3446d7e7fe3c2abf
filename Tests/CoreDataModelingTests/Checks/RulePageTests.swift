import CoreDataModeling
import Testing

/// The page of rules beside the list that it comes from.
@Suite struct RulePageTests {
    private static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Docs/ModelRules.md")

    private static var page: String {
        var text = """
            # Rules of models

            What `coredata model check` looks for. The page is written from the rules themselves: run the test
            `RulePageTests` with `OPENCOREDATA_WRITE_PAGES=1` after a change of a rule.

            An *error* is a model that cannot be used, or not as its author means it. A *warning* works and will surprise.
            A *note* is something to know. What is refused is refused when a model is read: *always*, or only in
            *sources*, whose authors can repair them. `--disable RULE` leaves a rule out.


            """
        var title = ""
        for (subject, rule) in ModelRuleCatalog.all {
            if subject != title {
                text +=
                    "\(title.isEmpty ? "" : "\n")## \(subject)\n\n| rule | severity | refused | what is wrong | what to do |\n|---|---|---|---|---|\n"
                title = subject
            }
            text +=
                "| `\(rule.identifier)` | \(rule.severity.rawValue) | \(rule.refusedText) | \(rule.statement) | \(rule.remedy) |\n"
        }
        text +=
            "\n## Reserved names\n\nNo property can have one of these names, which managed objects need themselves:\n"
        text += list(reservedPropertyNames)
        text += "\nAn entity had better not have one of these names, which its generated class would hide:\n"
        text += list(reservedEntityNames)
        return text
    }

    private static func list(_ names: Set<String>) -> String {
        "\n" + names.sorted().map { "`\($0)`" }.joined(separator: ", ") + ".\n"
    }

    @Test("the page lists every rule and all reserved names (MOD-09)")
    func pageIsThatOfTheRules() throws {
        if ProcessInfo.processInfo.environment["OPENCOREDATA_WRITE_PAGES"] == "1" {
            try Data(Self.page.utf8).write(to: Self.url)
        }
        #expect(try String(contentsOf: Self.url, encoding: .utf8) == Self.page)
    }
}
