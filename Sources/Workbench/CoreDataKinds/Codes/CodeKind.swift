import CoreData
import CoreDataCodes

/// A text that is shown as a code and read from one: a QR code of any text, or the number of a product, whose check digit is verified.
struct CodeKind: ValueKind {
    let name = "code"
    let summary = "a text as a QR code or bar code, which is scanned"
    let types: Set<AttributeKind> = [.string, .uri]

    private static let numbers = GuessRule(words: ["ean", "upc", "gtin", "isbn", "barcode"], needsName: true)
    private static let texts = GuessRule(words: ["qr", "qrcode"], needsName: true)
    /// The types by the names that models use.
    private static let byName: [String: AVMetadataObject.ObjectType] = [
        "qr": .qr, "code128": .code128, "ean13": .ean13, "ean8": .ean8, "upce": .upce,
        "interleaved2of5": .interleaved2of5, "aztec": .aztec, "dataMatrix": .dataMatrix,
    ]

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        entity.guesses(self, Self.numbers) {
            KindValues.text($0).map { ProductNumber($0) != nil } ?? false
        } _: { use, _ in
            use.parameters["type"] = "ean13"
            return true
        } + entity.guesses(self, Self.texts) { KindValues.text($0) != nil }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        guard let type = parameters["type"] else { return use }
        guard Self.byName[type] != nil else {
            throw InspectionError(
                .badValue, subject: attribute.key,
                cause: "there is no type of codes '\(PrintableText.escaped(type, limit: 80))'",
                hint: "name one of \(Self.byName.keys.sorted().joined(separator: ", "))")
        }
        use.parameters["type"] = type
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        let text = values.text(use.key) ?? ""
        if let problem = Self.problem(text, use) { return .none(text, problem) }
        return KindReading(text, link: WebAddressKind.link(text))
    }

    func content(_ values: KindValues, _ use: KindUse) -> JSONValue? {
        guard let text = values.text(use.key), Self.problem(text, use) == nil, !text.isEmpty else { return nil }
        let type = Self.type(use)
        // A number of another length than 13 is drawn as the code that people know of it.
        let drawn = type == .ean13 && text.count(where: \.isNumber) == 8 ? .ean8 : type
        return .object([("type", .string(drawn.rawValue)), ("text", .string(Self.drawnText(text, drawn)))])
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        let text = Self.isNumber(use) ? text.trimmingCharacters(in: .whitespaces) : text
        if let problem = Self.problem(text, use) {
            throw refused(attribute, problem, hint: "give 8, 12 or 13 digits, of which the last is the check digit")
        }
        return AttributeKind(attribute) == .uri ? URL(string: text) : text
    }

    private static func type(_ use: KindUse) -> AVMetadataObject.ObjectType {
        use.parameters["type"].flatMap { byName[$0] } ?? .qr
    }

    private static func isNumber(_ use: KindUse) -> Bool { [.ean13, .ean8, .upce].contains(type(use)) }

    private static func problem(_ text: String, _ use: KindUse) -> String? {
        guard isNumber(use) else { return nil }
        let isValid = type(use) == .upce ? ProductNumber(upcE: text) != nil : ProductNumber(text) != nil
        guard !isValid else { return nil }
        let count = text.count { $0.isASCII && $0.isNumber }
        return [8, 12, 13].contains(count)
            ? "its check digit is wrong" : "it is no number of 8, 12 or 13 digits"
    }

    /// An EAN-13 is drawn of its thirteen digits, other texts as they are.
    private static func drawnText(_ text: String, _ type: AVMetadataObject.ObjectType) -> String {
        switch type {
        case .ean13: ProductNumber(text)?.digits ?? text
        case .ean8: text.filter(\.isNumber)
        default: text
        }
    }
}
