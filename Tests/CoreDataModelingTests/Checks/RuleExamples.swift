import Testing

/// For each rule a least source that breaks it, with the line that the finding names, and one that keeps it.
struct RuleExample: Sendable, CustomTestStringConvertible {
    let rule: String
    /// What stands between `<model>` and `</model>`; its first line is line 3 of the file.
    let broken: String
    let line: Int
    let subject: String?
    let kept: String
    /// Attributes of `<model>`.
    var head = ""

    init(_ rule: String, line: Int, _ subject: String?, broken: String, kept: String, head: String = "") {
        (self.rule, self.line, self.subject, self.broken, self.kept) = (rule, line, subject, broken, kept)
        self.head = head
    }

    var testDescription: String { rule }

    static let all =
        files + names + inheritance + attributes + limits + relationships + inverses + deletion + groups + requests
        + derivations + further + searching

    private static func hero(_ body: String, _ more: String = "") -> String {
        "<entity name=\"Hero\">\n\(body)\n</entity>\(more)"
    }
    private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
    private static func text(_ more: String) -> String {
        #"<attribute name="name" optional="YES" attributeType="String" \#(more)/>"#
    }
    private static func number(_ more: String) -> String {
        #"<attribute name="age" optional="YES" attributeType="Integer 16" \#(more)/>"#
    }

    private static let files = [
        RuleExample("unreadable-model", line: 4, nil, broken: "<entity name=\"Hero\">", kept: hero(name)),
        RuleExample(
            "malformed-value", line: 4, "Hero.name", broken: hero(text("transient=\"maybe\"")),
            kept: hero(text("transient=\"NO\""))),
        RuleExample(
            "unknown-attribute-type", line: 4, "Hero.name",
            broken: hero(#"<attribute name="name" attributeType="Text"/>"#),
            kept: hero(name)),
    ]

    private static let names = [
        RuleExample(
            "invalid-name", line: 3, "A Hero", broken: "<entity name=\"A Hero\">\(name)</entity>", kept: hero(name)),
        RuleExample("duplicate-entity", line: 6, "Hero", broken: hero(name, "\n" + hero(name)), kept: hero(name)),
        RuleExample(
            "duplicate-property", line: 5, "Hero.name",
            broken: hero("\(name)\n\(number("").replacing("age", with: "name"))"), kept: hero(name)),
        RuleExample(
            "reserved-property-name", line: 4, "Hero.description",
            broken: hero(name.replacing("name=\"name\"", with: "name=\"description\"")),
            kept: hero(name.replacing("name=\"name\"", with: "name=\"summary\""))),
        RuleExample(
            "reserved-entity-name", line: 3, "Date", broken: "<entity name=\"Date\">\(name)</entity>", kept: hero(name)),
        RuleExample(
            "entity-name-case", line: 3, "hero", broken: "<entity name=\"hero\">\(name)</entity>", kept: hero(name)),
        RuleExample(
            "property-name-case", line: 4, "Hero.Name",
            broken: hero(name.replacing("name=\"name\"", with: "name=\"Name\"")), kept: hero(name)),
        RuleExample(
            "entity-names-differ-by-case", line: 6, "HERO",
            broken: hero(name, "\n<entity name=\"HERO\">\(name)</entity>"),
            kept: hero(name, "\n<entity name=\"Heroes\">\(name)</entity>")),
        RuleExample(
            "property-names-differ-by-case", line: 5, "Hero.nAme",
            broken: hero("\(name)\n\(name.replacing("\"name\"", with: "\"nAme\""))"),
            kept: hero("\(name)\n\(number(""))")),
    ]

    private static let inheritance = [
        RuleExample(
            "unknown-parent", line: 3, "Hero", broken: "<entity name=\"Hero\" parentEntity=\"Person\">\(name)</entity>",
            kept: hero(name)),
        RuleExample(
            "inheritance-cycle", line: 3, "Hero",
            broken: "<entity name=\"Hero\" parentEntity=\"Hero\">\(name)</entity>", kept: hero(name)),
        RuleExample("inheritance-depth", line: 131, "E128", broken: chain(129), kept: chain(128)),
        RuleExample(
            "inherited-property", line: 6, "Child.name",
            broken: hero(name, "\n<entity name=\"Child\" parentEntity=\"Hero\">\(name)</entity>"),
            kept: hero(name, "\n<entity name=\"Child\" parentEntity=\"Hero\">\(number(""))</entity>")),
        RuleExample(
            "abstract-without-children", line: 3, "Hero",
            broken: "<entity name=\"Hero\" isAbstract=\"YES\">\(name)</entity>",
            kept:
                "<entity name=\"Hero\" isAbstract=\"YES\">\(name)</entity><entity name=\"Child\" parentEntity=\"Hero\">\(number(""))</entity>"
        ),
        RuleExample("entity-without-properties", line: 3, "Hero", broken: "<entity name=\"Hero\"/>", kept: hero(name)),
    ]

    private static func chain(_ count: Int) -> String {
        (0..<count).map { "<entity name=\"E\($0)\"" + ($0 == 0 ? "" : " parentEntity=\"E\($0 - 1)\"") + "/>" }.joined(
            separator: "\n")
    }

    private static func attribute(_ type: String, _ more: String = "") -> String {
        hero("<attribute name=\"value\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>")
    }

    private static let attributes = [
        RuleExample(
            "attribute-without-type", line: 4, "Hero.value", broken: attribute("Undefined"),
            kept: attribute("Undefined", "transient=\"YES\"")),
        RuleExample(
            "external-storage-type", line: 4, "Hero.value",
            broken: attribute("String", "allowsExternalBinaryDataStorage=\"YES\""),
            kept: attribute("Binary", "allowsExternalBinaryDataStorage=\"YES\"")),
        RuleExample(
            "transient-external-storage", line: 4, "Hero.value",
            broken: attribute("Binary", "transient=\"YES\" allowsExternalBinaryDataStorage=\"YES\""),
            kept: attribute("Binary")),
        RuleExample(
            "required-without-default", line: 4, "Hero.name",
            broken: hero(name.replacing("optional=\"YES\"", with: "")),
            kept: hero(text("defaultValueString=\"\"").replacing("optional=\"YES\"", with: ""))),
        RuleExample(
            "insecure-transformer", line: 4, "Hero.value", broken: attribute("Transformable"),
            kept: attribute("Transformable", "valueTransformerName=\"NSSecureUnarchiveFromData\"")),
        RuleExample(
            "unknown-transformer", line: 4, "Hero.value",
            broken: attribute("Transformable", "valueTransformerName=\"ColorTransfomer\""),
            kept: attribute("Transformable", "valueTransformerName=\"ColorTransformer\"")),
        RuleExample(
            "transformer-on-type", line: 4, "Hero.value",
            broken: attribute("String", "valueTransformerName=\"ColorTransformer\""),
            kept: attribute("String")),
        RuleExample(
            "unknown-composite", line: 4, "Hero.value", broken: attribute("Composite", "composite=\"Place\""),
            kept: attribute("Composite", "composite=\"Place\"") + place),
        RuleExample("duplicate-composite", line: 4, nil, broken: place + "\n" + place, kept: place),
        RuleExample(
            "composite-cycle", line: 3, nil,
            broken:
                "<composite name=\"Place\"><attribute name=\"inner\" attributeType=\"Composite\" composite=\"Place\"/></composite>",
            kept: place),
        RuleExample(
            "composite-elements", line: 4, nil,
            broken:
                "<composite name=\"Place\"><attribute name=\"x\" attributeType=\"Double\"/>\n<attribute name=\"x\" attributeType=\"Double\"/></composite>",
            kept: place),
        RuleExample("composite-without-elements", line: 3, nil, broken: "<composite name=\"Place\"/>", kept: place),
    ]

    private static let place =
        "<composite name=\"Place\"><attribute name=\"x\" optional=\"YES\" attributeType=\"Double\"/></composite>"

    private static let limits = [
        RuleExample(
            "minimum-above-maximum", line: 4, "Hero.age",
            broken: hero(number("minValueString=\"9\" maxValueString=\"1\"")),
            kept: hero(number("minValueString=\"1\" maxValueString=\"1\""))),
        RuleExample(
            "negative-length", line: 4, "Hero.name", broken: hero(text("minValueString=\"-1\"")),
            kept: hero(text("minValueString=\"0\""))),
        RuleExample(
            "invalid-pattern", line: 4, "Hero.name", broken: hero(text("regularExpressionString=\"(a\"")),
            kept: hero(text("regularExpressionString=\"(a)\""))),
        RuleExample(
            "default-breaks-rule", line: 4, "Hero.age",
            broken: hero(number("minValueString=\"5\" defaultValueString=\"4\"")),
            kept: hero(number("minValueString=\"5\" defaultValueString=\"5\""))),
        RuleExample(
            "limit-on-type", line: 4, "Hero.value", broken: attribute("Boolean", "minValueString=\"0\""),
            kept: attribute("Float", "minValueString=\"0\"")),
        RuleExample(
            "default-type", line: 4, "Hero.age", broken: hero(number("defaultValueString=\"70000\"")),
            kept: hero(number("defaultValueString=\"7\""))),
        RuleExample(
            "limit-type", line: 4, "Hero.age", broken: hero(number("minValueString=\"low\"")),
            kept: hero(number("minValueString=\"7\""))),
    ]
}
