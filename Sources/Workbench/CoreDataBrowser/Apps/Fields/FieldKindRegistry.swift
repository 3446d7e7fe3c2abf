import CoreData

/// The kinds of fields by the class names of detail lists.
struct FieldKindRegistry: Sendable {
    private var byName: [String: FieldKind]

    /// A registry of the kinds that the books use and of further built-in ones.
    init() {
        let all = Self.known + FieldKind.ofValueKinds
        byName = Dictionary(all.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a kind, which replaces one of the same name.
    ///
    /// - Throws: `InspectionError` of code `badValue` for an editable kind without an action that saves.
    mutating func register(_ kind: FieldKind) throws {
        guard !kind.className.isEmpty, kind.action != nil else {
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(kind.className, limit: 80),
                cause: "the kind is edited and nothing saves it",
                hint: "give the action 'save', or make the kind with shown(_:widget:)")
        }
        byName[kind.className] = kind
    }

    /// The kind of a name; nil for an unknown one.
    subscript(name: String) -> FieldKind? { byName[name] }

    /// The known names that are similar to an unknown one.
    func near(_ name: String) -> NameSuggestion? { NameSuggestion(for: name, in: byName.keys) }

    private static let numbers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
        .doubleAttributeType, .floatAttributeType,
    ]

    private static let known: [FieldKind] = [
        FieldKind("SuperDBCell", widget: "label", types: nil, action: .shows),
        FieldKind("SuperDBNonEditableCell", widget: "label", types: nil, action: .shows),
        FieldKind(
            "SuperDBEditCell", widget: "text", types: [.stringAttributeType] + numbers,
            action: .saves(FieldSaving.textOrNumber)),
        FieldKind("SuperDBDateCell", widget: "date", types: [.dateAttributeType], action: .saves(FieldSaving.date)),
        FieldKind(
            "SuperDBPickerCell", widget: "choice", types: [.stringAttributeType], action: .saves(FieldSaving.choice)),
        FieldKind(
            "SuperDBColorCell", widget: "color", types: [.transformableAttributeType, .binaryDataAttributeType],
            action: .saves(FieldSaving.color)),
        FieldKind("NumberCell", widget: "number", types: numbers, action: .saves(FieldSaving.number)),
        FieldKind("BooleanCell", widget: "boolean", types: [.booleanAttributeType], action: .saves(FieldSaving.any)),
        FieldKind("LongTextCell", widget: "longText", types: [.stringAttributeType], action: .saves(FieldSaving.text)),
        FieldKind("ImageCell", widget: "image", types: [.binaryDataAttributeType], action: .saves(FieldSaving.any)),
        FieldKind(
            "MediaCell", widget: "media", types: [.binaryDataAttributeType, .URIAttributeType],
            action: .saves(FieldSaving.any)),
        FieldKind(
            "RecordingCell", widget: "recording", types: [.binaryDataAttributeType], action: .saves(FieldSaving.any)),
        FieldKind("BarcodeCell", widget: "barcode", types: [.stringAttributeType], action: .saves(FieldSaving.text)),
        FieldKind(
            RelationshipChoice.className, widget: "relationship", types: [], action: .saves(FieldSaving.any)),
        FieldKind("ValueCell", widget: "value", types: nil, action: .saves(FieldSaving.any)),
    ]

    /// The class name of the kind for an attribute to which no detail list assigns one.
    static func standard(for attribute: NSAttributeDescription) -> String {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return "SuperDBCell" }
        return switch attribute.attributeType {
        case .stringAttributeType: "SuperDBEditCell"
        case .dateAttributeType: "SuperDBDateCell"
        case .booleanAttributeType: "BooleanCell"
        case .binaryDataAttributeType: "ImageCell"
        case .transformableAttributeType:
            attribute.valueTransformerName == ColorTransformer.name ? "SuperDBColorCell" : "ValueCell"
        case let type where numbers.contains(type): "NumberCell"
        default: "ValueCell"
        }
    }
}
