import CoreData
import CoreDataLocalization

/// How a value of a document becomes one of an attribute.
package struct ValueConversion: Sendable {
    /// How texts that stand for numbers are written.
    package struct NumberForm: Sendable, Equatable {
        package var decimal: Character = "."
        package var grouping: Character?
    }

    package var number: NumberForm?
    /// As whose people texts that stand for numbers are written, and what reads them.
    package var locale: Locale?
    package var localNumber: NumberReader?
    package var date: DateForm?
    /// The texts that stand for true and false.
    package var truths: (yes: [String], no: [String])?
    /// Texts and what they are replaced by.
    package var words: [String: String]?
    /// The name of a registered `ValueTransformer`.
    package var transformer: String?
    /// What several values are joined by to one text.
    package var separator: String?
    /// Whether of several values the first counts.
    package var takesFirst = false
    /// Whether the text of an element of XML is that of all elements in it.
    package var takesInnerTexts = false
    /// Whether the text is an address that may be relative to where the document has it.
    package var isAddress = false
    /// The text in place of none.
    package var standard: String?

    package init() {}

    /// The value for an attribute; nil where there is none.
    ///
    /// - Parameter base: what addresses are relative to.
    /// - Throws: `InspectionError` of code `badValue` without the value.
    func value(
        _ given: [JSONValue], for attribute: NSAttributeDescription, _ kind: AttributeKind, relativeTo base: URL? = nil
    ) throws -> EditValue? {
        guard let json = try single(given, kind, attribute.name) else { return nil }
        if case .null = json { return .null }
        if kind != .string, kind != .undefined, case .string(let text) = json,
            text.allSatisfy(\.isWhitespace), transformer == nil
        {
            return .null
        }
        if isAddress, let text = json.text { return .json(.string(RelativeAddress.absolute(text, base))) }
        if takesInnerTexts, case .members = json { return .json(.string(Self.innerText(json))) }
        if let transformer { return try transformed(json, by: transformer, attribute.name) }
        if let date, kind == .date { return .json(.string(try date.text(json.text, attribute.name))) }
        if let truths, kind == .boolean { return try Self.truth(json.text, truths, attribute.name) }
        if let words, let text = json.text {
            guard let word = words[text] ?? words["*"] else {
                throw Self.wrong(attribute.name, "the text is none of those that the mapping has words for")
            }
            return Self.plain(.string(word), kind)
        }
        if let number, let text = json.text, Self.isNumber(kind), !Self.isDigits(json) {
            return .field(try number.plain(text, attribute.name))
        }
        if let localNumber, let text = json.text, Self.isNumber(kind), !Self.isDigits(json) {
            do {
                return .field(try localNumber.decimal(text).description)
            } catch {
                throw Self.wrong(attribute.name, "the text is no number of the locale that the mapping says")
            }
        }
        return Self.plain(json, kind)
    }

    /// One value of several, where there is a rule for it.
    private func single(_ given: [JSONValue], _ kind: AttributeKind, _ name: String) throws -> JSONValue? {
        var values = given
        if separator != nil {
            values = values.flatMap { value in
                if case .array(let elements) = value { elements } else { [value] }
            }
        }
        let standard = standard.map { JSONValue.string($0) }
        if let separator, values.count != 1 || given.count != 1 {
            let texts = values.compactMap(\.text)
            guard texts.count == values.count else { throw Self.wrong(name, "one of several values is no text") }
            return texts.isEmpty ? standard : .string(texts.joined(separator: separator))
        }
        if takesFirst { values = Array(values.prefix(1)) }
        switch values.count {
        case 0: return standard
        case 1:
            if case .null = values[0] { return standard ?? .null }
            return values[0]
        default:
            guard kind == .transformable else {
                throw Self.wrong(
                    name, "there are \(values.count) values", hint: "say with 'join' how they become one text")
            }
            return .array(values)
        }
    }

    /// The value in the form in which the attribute takes it: a number may be given as text and the other way round.
    private static func plain(_ json: JSONValue, _ kind: AttributeKind) -> EditValue {
        switch (kind, json) {
        case (.transformable, _), (.composite, _), (.undefined, _): return .json(json)
        case (.string, _): return .json(json.text.map { .string($0) } ?? json)
        case (.boolean, .number("0")), (.boolean, .integer(0)): return .json(.bool(false))
        case (.boolean, .number("1")), (.boolean, .integer(1)): return .json(.bool(true))
        case (_, .bool(let flag)) where isNumber(kind): return .json(.integer(flag ? 1 : 0))
        case (_, .members):
            guard let text = json.text else { return .json(json) }
            return plain(.string(text), kind)
        case (_, .string(let text)):
            let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return text.isEmpty ? .null : .field(text)
        default: return .json(json)
        }
    }

    /// Whether it is a number of JSON, which has one form.
    private static func isDigits(_ json: JSONValue) -> Bool {
        switch json {
        case .number, .integer: true
        default: false
        }
    }

    /// The texts of an element and of those in it; attributes are none.
    private static func innerText(_ json: JSONValue) -> String {
        switch json {
        case .members(let members):
            let inner = members.filter { !$0.key.hasPrefix("@") }
            return inner.map { innerText($0.value) }.filter { !$0.isEmpty }.joined(separator: " ")
        default: return json.text ?? ""
        }
    }

    private static func isNumber(_ kind: AttributeKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .double, .float, .decimal: true
        default: false
        }
    }

    private static func truth(_ text: String?, _ truths: (yes: [String], no: [String]), _ name: String) throws
        -> EditValue
    {
        guard let text else { throw wrong(name, "the value is no text") }
        if truths.yes.contains(text) { return .json(.bool(true)) }
        if truths.no.contains(text) { return .json(.bool(false)) }
        throw wrong(name, "the text is none of those for true and false")
    }

    private func transformed(_ json: JSONValue, by transformer: String, _ name: String) throws -> EditValue {
        guard let transformer = ValueTransformer(forName: NSValueTransformerName(transformer)) else {
            throw Self.wrong(name, "the transformer is not registered")
        }
        switch transformer.transformedValue(json.text ?? "") {
        case nil, is NSNull: return .null
        case let text as String: return .json(.string(text))
        case let date as Date: return .json(.string(ISODate.text(date)))
        case let data as Data: return .json(.string(data.base64EncodedString()))
        case let number as NSNumber: return .field(number.stringValue)
        case let id as UUID: return .json(.string(id.uuidString))
        case let url as URL: return .json(.string(url.absoluteString))
        default: throw Self.wrong(name, "the transformer gives a value of another type")
        }
    }

    static func wrong(_ name: String, _ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(.badValue, subject: name, cause: cause, hint: hint)
    }
}

extension ValueConversion.NumberForm {
    /// The number with a decimal point and without grouping; the text is read to its end.
    func plain(_ text: String, _ name: String) throws -> String {
        var result = ""
        var digits = 0
        var hasPoint = false
        /// The digits since the last sign of grouping; nil before the first.
        var group: Int?
        func wrong() -> InspectionError {
            ValueConversion.wrong(name, "the text is no number of the form that the mapping says")
        }
        for character in text.trimmingCharacters(in: .whitespacesAndNewlines) {
            switch character {
            case "-" where result.isEmpty, "\u{2212}" where result.isEmpty: result = "-"
            case "+" where result.isEmpty: continue
            case _ where character.isASCII && character.isWholeNumber:
                result.append(character)
                digits += 1
                if !hasPoint, let count = group { group = count + 1 }
            case decimal where !hasPoint && digits > 0:
                guard group == nil || group == 3 else { throw wrong() }
                result.append(".")
                hasPoint = true
            case _ where Self.isGrouping(character, grouping) && !hasPoint:
                // Groups of three digits; the first may be shorter.
                guard group == nil ? (1...3).contains(digits) : group == 3 else { throw wrong() }
                group = 0
            default: throw wrong()
            }
        }
        guard digits > 0, result.last != ".", hasPoint || group == nil || group == 3 else { throw wrong() }
        return result
    }

    /// Of blanks between groups there are several kinds.
    private static func isGrouping(_ character: Character, _ grouping: Character?) -> Bool {
        guard let grouping else { return false }
        return character == grouping || grouping == " " && ["\u{A0}", "\u{202F}", "\u{2009}"].contains(character)
    }
}
