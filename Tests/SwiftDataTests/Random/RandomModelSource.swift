import TestBasics

/// Model classes as a seed makes them: their source, and a function that saves, reads and compares random values.
struct RandomModelSource {
    /// A persisted variable.
    private struct Property {
        let name: String
        let type: String
        /// An expression of a value; nil for a relationship, which is set apart.
        var value: String?
        var declaration: String
    }

    let classes: [String]
    /// The declarations of the classes, and of the function `check`.
    private(set) var text = ""
    private var random: SeededRandom

    private static let simple: [(type: String, values: [String])] = [
        ("Int", ["0", "-7", ".max"]), ("Int16", ["3", ".min"]), ("Int32", ["-1", "70_000"]), ("Int64", [".min", "9"]),
        ("Bool", ["true", "false"]), ("Double", ["0.1", "-1e300"]), ("Float", ["1.5", "-0.25"]),
        ("String", ["\"\"", "\"x\"", "\"naïve 🙂 \\\"q\\\"\""]),
        ("Date", ["Date(timeIntervalSinceReferenceDate: 0.125)", "Date(timeIntervalSinceReferenceDate: -1e9)"]),
        ("Data", ["Data()", "Data([0, 255, 10])"]), ("URL", ["URL(string: \"https://example.org/a?b=c\")!"]),
        ("UUID", ["UUID(uuidString: \"00112233-4455-6677-8899-AABBCCDDEEFF\")!"]),
        ("Decimal", ["Decimal(string: \"12.345\")!", "-1"]),
    ]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        classes = (0..<Int.random(in: 1...4, using: &random)).map { "C\($0)" }
        self.random = random
        let links = links()
        var source = ""
        var check = ""
        for name in classes {
            let properties = properties(of: name)
            source += declaration(of: name, properties, links[name] ?? [])
            check += Self.check(of: name, properties)
        }
        text =
            source
                + """
                static func check(_ path: String) throws -> [String] {
                    var wrong: [String] = []
                    let make = { ModelContext(try ModelContainer(
                        for: Schema([\(classes.map { "\($0).self" }.joined(separator: ", "))]),
                        configurations: [ModelConfiguration(url: URL(filePath: path))])) }
                    let context = try make()
                \(classes.map { "    context.insert(\($0)(0))\n    context.insert(\($0)(1))" }.joined(separator: "\n"))
                    try context.save()
                    let other = try make()
                \(check)
                    return wrong
                }

                """
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func chance(_ parts: Int) -> Bool { Int.random(in: 0..<parts, using: &random) == 0 }

    // MARK: Relationships

    /// Pairs of relationships between classes, the declaration of each by its class.
    private mutating func links() -> [String: [String]] {
        var links: [String: [String]] = [:]
        for number in 0..<Int.random(in: 0...4, using: &random) {
            let (one, other) = (pick(classes), pick(classes))
            let (first, second) = ("r\(number)", "s\(number)")
            let rule = pick(["", "deleteRule: .cascade, ", "deleteRule: .deny, ", "deleteRule: .noAction, "])
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                links[one, default: []].append(
                    "@Relationship(\(rule)inverse: \\\(other).\(second)) var \(first): [\(other)] = []")
                links[other, default: []].append("var \(second): \(one)?")
            case 1:
                links[one, default: []].append(
                    "@Relationship(\(rule)inverse: \\\(other).\(second)) var \(first): [\(other)]? = []")
                links[other, default: []].append("@Relationship var \(second): [\(one)] = []")
            case 2:
                let bounds = chance(2) ? "minimumModelCount: 0, maximumModelCount: 5, " : ""
                links[one, default: []].append(
                    "@Relationship(\(rule)\(bounds)hashModifier: \"h\") var \(first): [\(other)] = []")
            default:
                links[one, default: []].append(
                    "@Relationship(\(rule)originalName: \"old\(number)\") var \(first): \(other)?")
            }
        }
        return links
    }

    // MARK: Attributes

    private mutating func properties(of name: String) -> [Property] {
        (0..<Int.random(in: 1...8, using: &random)).map { property($0, of: name) }
    }

    private mutating func property(_ number: Int, of name: String) -> Property {
        let key = pick(["p", "value", "class", "name", "default"]) + "\(number)"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return structure(key)
        case 1:
            return composite(
                key, "enum", ["case one = \"1\"", "case two"], ": String, Codable", value: ".two")
        case 2: return composite(key, "enum", ["case red, green"], ": Codable", value: ".green")
        case 3:
            let (type, values) = pick(Self.simple.filter { ["Int", "String", "Double", "Date"].contains($0.type) })
            return Property(
                name: key, type: "[\(type)]", value: "[\(values.filter { $0.first != "." }.joined(separator: ", "))]",
                declaration: "var \(key): [\(type)]")
        case 4:
            return Property(
                name: key, type: "[String: Int]", value: "[\"a\": 1]", declaration: "var \(key): [String: Int]")
        default:
            let (type, values) = pick(Self.simple)
            let isOptional = chance(2)
            let options = options(type, isOptional: isOptional, number)
            return Property(
                name: key, type: type + (isOptional ? "?" : ""), value: isOptional && chance(3) ? "nil" : pick(values),
                declaration: "\(options)var \(key): \(type)\(isOptional ? "?" : "")")
        }
    }

    private mutating func options(_ type: String, isOptional: Bool, _ number: Int) -> String {
        var options: [String] = []
        if type == "Data", chance(2) { options.append(".externalStorage") }
        if chance(6) { options.append(".preserveValueOnDeletion") }
        if chance(8) { options.append("originalName: \"was\(number)\"") }
        if chance(8) { options.append("hashModifier: \"m\"") }
        return options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
    }

    private mutating func structure(_ key: String) -> Property {
        var members: [String] = []
        var values: [String] = []
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let (type, all) = pick(Self.simple)
            let isOptional = chance(3)
            members.append("var m\(number): \(type)\(isOptional ? "?" : "")")
            values.append("m\(number): \(pick(all))")
        }
        if chance(3) {
            members.append("var list: [String]")
            values.append("list: [\"a\", \"b\"]")
        }
        return composite(
            key, "struct", members, ": Codable, Equatable",
            value: "T\(key)(\(values.joined(separator: ", ")))")
    }

    private mutating func composite(
        _ key: String, _ kind: String, _ members: [String], _ conformances: String, value: String
    ) -> Property {
        let isOptional = chance(2)
        let type = "T\(key)"
        let nested = (["\(kind) \(type)\(conformances) {"] + members.map { "    \($0)" } + ["}"]).joined(
            separator: "\n    ")
        return Property(
            name: key, type: type + (isOptional ? "?" : ""), value: value,
            declaration: "\(nested)\n    var \(key): \(type)\(isOptional ? "?" : "")")
    }

    // MARK: Texts

    private func declaration(of name: String, _ properties: [Property], _ links: [String]) -> String {
        let lines = ["var which: Int"] + properties.map(\.declaration) + links
        let values = ["which = number"] + properties.map { "\($0.name) = \($0.value ?? "nil")" }
        return """
            @Model
            final class \(name) {
                \(lines.joined(separator: "\n    "))

                init(_ number: Int) {
                    \(values.joined(separator: "\n        "))
                }
            }


            """
    }

    /// Statements that compare what another context reads with what was saved.
    private static func check(of name: String, _ properties: [Property]) -> String {
        let checks = properties.map {
            "if found.\($0.name) != expected.\($0.name) { wrong.append(\"\(name).\($0.name)\") }"
        }
        return """
                for number in 0..<2 {
                    guard let found = try other.fetch(
                        FetchDescriptor<\(name)>(predicate: #Predicate { $0.which == number })).first
                    else {
                        wrong.append("\(name)")
                        continue
                    }
                    let expected = \(name)(number)
                    \(checks.joined(separator: "\n            "))
                }

            """
    }
}
