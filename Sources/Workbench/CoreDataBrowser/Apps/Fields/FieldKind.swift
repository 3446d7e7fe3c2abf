import CoreData

/// How a row of a form is shown and edited: what the `class` of a row in a detail list names.
public struct FieldKind: Sendable {
    /// What happens to a value that the user enters.
    enum Action: Sendable {
        /// The row is read-only.
        case shows
        /// Converts the value that the page sends to the value that is stored.
        case saves(@Sendable (FieldEntry) throws -> JSONValue)
    }

    /// The name that rows of detail lists give as their `class`, such as `SuperDBEditCell`.
    public let className: String
    /// What the page draws: `text`, `number`, `date`, `choice`, `color` or a name of the program's own.
    public let widget: String
    /// The attribute types that the kind can show; nil for all properties.
    let types: [NSAttributeType]?
    let action: Action?
    /// The name of the kind of values in `KindRegistry` that the rows have; nil for none.
    let valueKind: String?

    init(
        _ className: String, widget: String, types: [NSAttributeType]?, action: Action?, valueKind: String? = nil
    ) {
        self.className = className
        self.widget = widget
        self.types = types
        self.action = action
        self.valueKind = valueKind
    }

    /// A kind whose rows are read-only.
    public static func shown(_ className: String, widget: String) -> FieldKind {
        FieldKind(className, widget: widget, types: nil, action: .shows)
    }

    /// A kind whose rows can be edited.
    ///
    /// - Parameter save: Converts the text that was entered, nil for null, to the text to store, nil for null. The user
    ///   sees the message of an error that it throws. `Browser.register(_:)` refuses a kind whose `save` is nil.
    public static func edited(
        _ className: String, widget: String, types: [NSAttributeType], save: (@Sendable (String?) throws -> String?)?
    ) -> FieldKind {
        FieldKind(
            className, widget: widget, types: types,
            action: save.map { save in
                .saves { entry in
                    guard let text = try save(entry.text) else { return .null }
                    return ValueCoding.jsonValue(
                        try ValueParsing.value(text, for: entry.attribute), of: entry.attribute)
                }
            })
    }

    var isReadOnly: Bool {
        if case .saves = action { false } else { true }
    }

    /// Whether the kind can show an attribute.
    func fits(_ attribute: NSAttributeDescription) -> Bool { types?.contains(attribute.attributeType) ?? true }
}

/// What was entered into a field of a form.
struct FieldEntry: Sendable {
    let value: JSONValue
    let attribute: NSAttributeDescription
    /// The values that a row allows.
    let choices: [String]
    /// Whether an empty text stands for nil.
    let emptyIsNull: Bool
    let locale: Locale

    /// The entered value as text; nil for null.
    var text: String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case let other: JSONWriter.line(other)
        }
    }

    /// The error for an entry that is not a valid value of the attribute.
    func refused(_ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(.badValue, subject: attribute.name, cause: cause, hint: hint)
    }
}

extension ValueCoding {
    /// A value of an attribute as JSON.
    static func jsonValue(_ value: Any?, of attribute: NSAttributeDescription) -> JSONValue {
        json(value, AttributeKind(attribute))
    }
}
