/// An option of an item: its name in edits, the XML attribute of the source that stores it, and the form of its values.
package struct ItemOption: Sendable {
    /// A value of an option with fixed values: `word` in edits, `raw` in the source; nil if the source omits the value.
    package struct Choice: Hashable, Sendable {
        package let word: String
        let raw: String?
    }

    /// The form of an option's values.
    package enum Form: Hashable, Sendable {
        case text
        /// `YES` or `NO`; the source omits the value `usual`, the default.
        case flag(usual: Bool)
        /// `YES` or `NO`, which the source states also if it is the default; without a value, the source has no such
        /// attribute.
        case statedFlag
        /// An integer of at least 0; the source omits 0.
        case count
        case choice([Choice])
        case entity
        case predicate
        case type
        /// A value of the attribute's type.
        case value
        /// The name of another item of the model.
        case name
        /// Names, separated by commas.
        case names
    }

    /// The items of the kind to which the option applies.
    enum Scope: Hashable, Sendable {
        case all
        /// Attributes of these types only.
        case types(Set<String>)
        case toMany
    }

    /// How the option is set: `plain` sets an XML attribute of the item's element, the others do more or set something
    /// else.
    enum Handling: Hashable, Sendable {
        case plain
        /// Sets an XML attribute of the fetch request in a fetched property.
        case fetch
        case type
        case defaultValue
        case limit
        case derivation
        case toMany
        case counts
        case destination
        case inverse
        case parent
        case className
        case module
        case indexElements
        case members
    }

    /// The option's name in edits.
    package let name: String
    /// The XML attribute of the source that stores the option; edits may use it in place of `name`.
    package let attribute: String
    package let form: Form
    package let summary: String
    let scope: Scope
    let handling: Handling

    init(
        _ name: String, attribute: String, form: Form, summary: String, scope: Scope = .all,
        handling: Handling = .plain
    ) {
        self.name = name
        self.attribute = attribute
        self.form = form
        self.summary = summary
        self.scope = scope
        self.handling = handling
    }

    /// The words that are valid values of the option; empty for an option without fixed values.
    package var words: [String] {
        switch form {
        case .flag, .statedFlag: ["YES", "NO"]
        case .choice(let choices): choices.map(\.word)
        case .type: AttributeTypeName.all
        case .text, .count, .entity, .predicate, .value, .name, .names: []
        }
    }

    /// A description of the option's valid values for help texts, such as `YES|NO`.
    package var valueText: String {
        switch form {
        case .text: "text"
        case .flag, .statedFlag: "YES|NO"
        case .count: "number"
        case .choice(let choices): choices.map(\.word).joined(separator: "|")
        case .entity: "entity"
        case .predicate: "predicate"
        case .type: "name of a type"
        case .value: "value of the type"
        case .name: "name"
        case .names: "names with commas"
        }
    }
}

/// A new value of an option, given by the option's name; a nil value removes the option from the source.
package struct OptionSetting: Hashable, Sendable {
    package let name: String
    package let value: String?

    package init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}
