import CoreData
import Foundation
import StoreContract
import Testing

@testable import CoreDataBrowser

/// Forms as values: what detail lists say, and what in them cannot be followed.
@Suite("Detail lists")
struct DetailListTests {
    private let problems = ListProblemCollector()

    private func list(_ sections: [PropertyList]) -> DetailList {
        DetailList("Form", list: .dictionary(["sections": .array(sections)]), problems: problems)
    }

    private func row(_ key: String, _ className: String, _ more: [String: PropertyList] = [:]) -> PropertyList {
        let own: [String: PropertyList] = ["key": .string(key), "label": .string(key), "class": .string(className)]
        return .dictionary(own.merging(more) { $1 })
    }

    private func hero() throws -> NSEntityDescription {
        try #require(try SuperDB.model().entitiesByName["Hero"])
    }

    @Test("the configuration answers by numbers, and with nil out of range (APP-14)")
    func configurationAnswersByNumbers() {
        let form = list([
            .dictionary(["rows": .array([row("name", "SuperDBEditCell")]), "unknown": .string("x")]),
            .dictionary([
                "header": .string("Powers"), "dynamic": .boolean(true),
                "rows": .array([row("powers", "SuperDBCell", ["values": .array([.string("a")])])]),
            ]),
        ])
        #expect(form.numberOfSections == 2)
        #expect(form.numberOfRows(in: 0) == 1)
        #expect(form.numberOfRows(in: 2) == nil)
        #expect(form.header(of: 0) == nil)
        #expect(form.header(of: 1) == "Powers")
        #expect(form.className(0, in: 0) == "SuperDBEditCell")
        #expect(form.className(1, in: 0) == nil)
        #expect(form.values(0, in: 1) == ["a"])
        #expect(form.key(0, in: 0) == "name")
        #expect(form.label(-1, in: 0) == nil)
        #expect(form.isDynamic(1) == true)
        #expect(form.isDynamic(7) == nil)
        #expect(form.dynamicKey(of: 0) == nil)
        #expect(form.dynamicKey(of: 1) == "powers")
        #expect(problems.all == [])
    }

    @Test("arrays side by side give the same form as the property list (APP-11)")
    func pairedArrays() {
        let texts = { (names: [String]) in PropertyList.array(names.map { .string($0) }) }
        let paired = DetailList(
            "Form",
            list: .dictionary([
                "sectionNames": texts(["", "General"]),
                "rowLabels": .array([texts(["name"]), texts(["sex", "secretIdentity"])]),
                "rowKeys": .array([texts(["name"]), texts(["sex", "secretIdentity"])]),
                "rowControllers": .array([
                    texts(["SuperDBEditCell"]), texts(["SuperDBPickerCell", "SuperDBEditCell"]),
                ]),
                "rowArguments": .array([
                    .array([]), .array([.dictionary(["list": texts(["Male", "Female"])])]),
                ]),
            ]), problems: problems)
        let plain = list([
            .dictionary(["rows": .array([row("name", "SuperDBEditCell")])]),
            .dictionary([
                "header": .string("General"),
                "rows": .array([
                    row("sex", "SuperDBPickerCell", ["values": texts(["Male", "Female"])]),
                    row("secretIdentity", "SuperDBEditCell"),
                ]),
            ]),
        ])
        #expect(paired.sections.map(\.rows) == plain.sections.map(\.rows))
        #expect(paired.sections.map(\.header) == plain.sections.map(\.header))
        #expect(paired.key(2, in: 1) == nil)
        #expect(problems.all == [])
    }

    @Test("unknown classes, keys and kinds that do not fit are named with file and row; the rest works (APP-12)")
    func unknownNames() throws {
        let form = list([
            .dictionary([
                "rows": .array([
                    row("name", "SuperDBEditCel"), row("nam", "SuperDBEditCell"), row("birthDate", "SuperDBEditCell"),
                    row("sex", "SuperDBEditCell"), .string("no row"), .dictionary(["class": .string("SuperDBCell")]),
                ])
            ]),
            .dictionary(["dynamic": .boolean(true), "rows": .array([row("name", "SuperDBCell")])]),
        ])
        let checked = form.checked(for: try hero(), FieldKindRegistry(), problems)
        #expect(checked.sections[0].rows.map(\.key) == ["name", "birthDate", "sex"])
        #expect(checked.sections[0].rows.map(\.className) == ["SuperDBCell", "SuperDBCell", "SuperDBEditCell"])
        let places = problems.all.map(\.place)
        #expect(
            places == [
                "sections.0.rows.4", "sections.0.rows.5.key", "sections.0.rows.0.class", "sections.0.rows.1.key",
                "sections.0.rows.2.class", "sections.1.rows.0.key",
            ])
        #expect(problems.all[2].file == "Form")
        #expect(problems.all[2].text == "there is no class 'SuperDBEditCel'; did you mean 'SuperDBEditCell'?")
        #expect(problems.all[4].text == "SuperDBEditCell cannot edit 'birthDate', which is of type Date")
    }

    @Test("a kind takes one registration, and one that nothing saves is refused then (APP-12)")
    func kindTakesOneRegistration() throws {
        let browser = Browser()
        let stars = FieldKind.edited("StarsCell", widget: "stars", types: [.integer16AttributeType]) { text in
            text.map { String($0.count) }
        }
        try browser.register(stars)
        #expect(browser.core.apps.kinds["StarsCell"]?.widget == "stars")
        let broken = FieldKind.edited("BrokenCell", widget: "broken", types: [], save: nil)
        #expect(throws: InspectionError.self) { try browser.register(broken) }
        #expect(browser.core.apps.kinds["BrokenCell"] == nil)
        guard case .saves(let save)? = stars.action else { throw CancellationError() }
        let attribute = NSAttributeDescription()
        attribute.name = "stars"
        attribute.attributeType = .integer16AttributeType
        let entry = FieldEntry(
            value: .string("***"), attribute: attribute, choices: [], emptyIsNull: false,
            locale: Locale(identifier: "en"))
        #expect(try save(entry).text == "3")
    }

    @Test(
        "an entity without a list has a form in the order of the model, with a section for each relationship (APP-13)")
    func modelForm() throws {
        let form = DetailList(of: try hero())
        let attributes = try hero().properties.compactMap { ($0 as? NSAttributeDescription)?.name }
        #expect(form.sections[0].rows.map(\.key) == attributes)
        #expect(form.sections.map(\.header) == [nil, "Powers", "Reports"])
        #expect(form.isDynamic(1) == true)
        #expect(form.sections[2].rows.count == 4)
        let kinds = Dictionary(uniqueKeysWithValues: form.sections[0].rows.map { ($0.key, $0.className) })
        #expect(kinds["birthDate"] == "SuperDBDateCell")
        #expect(DetailList.label("birthDate") == "Birth Date")
    }

    @Test(
        "numbers are read as the locale writes them; other texts are refused, never read as 0 (APP-16)",
        arguments: [
            ("en_US", "1,234", "1234"), ("de_DE", "1.234", "1234"), ("en_US", "abc", nil), ("en_US", "1.5", nil),
            ("en_US", "12x", nil), ("de_DE", "1,5", nil), ("en_US", "99999", nil), ("en_US", " 7 ", "7"),
            ("en_US", "1,5", nil), ("en_US", "", "null"),
        ] as [(String, String, String?)])
    func numbersAreReadAsLocaleWritesThem(_ locale: String, _ text: String, _ expected: String?) throws {
        let attribute = NSAttributeDescription()
        attribute.name = "count"
        attribute.attributeType = .integer16AttributeType
        let entry = FieldEntry(
            value: .string(text), attribute: attribute, choices: [], emptyIsNull: false,
            locale: Locale(identifier: locale))
        let value = try? FieldSaving.number(entry)
        #expect(value.map { JSONWriter.line($0) } == expected)
    }

    @Test("a row's class names a kind of values, which is entered as people write it (APP-12, BRW-39)")
    func classNamesKindOfValues() throws {
        let kind = try #require(FieldKindRegistry()["DurationCell"])
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = ("length", .integer32AttributeType)
        attribute.userInfo = ["valueKind.unit": "minutes"]
        guard case .saves(let save)? = kind.action else { throw NoAction() }
        func saved(_ value: JSONValue) throws -> String {
            JSONWriter.line(
                try save(
                    FieldEntry(
                        value: value, attribute: attribute, choices: [], emptyIsNull: false,
                        locale: Locale(identifier: "en_US"))))
        }
        #expect(kind.fits(attribute) && !kind.isReadOnly)
        #expect(try saved(.string("1h 30m")) == "90")
        #expect(try saved(.string("")) == "null")
        #expect(throws: InspectionError.self) { try saved(.string("soon")) }
        #expect(FieldKindRegistry()["MailCell"]?.valueKind == "mailAddress")
        #expect(FieldKindRegistry()["MapCell"]?.valueKind == "place")
    }

    private struct NoAction: Error {}
}
