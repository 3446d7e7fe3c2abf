/// Something that can be set of an item: its word, the attribute of the source that has it, and the form of its values.
package struct ItemOption: Sendable {
    /// One of several words; `raw` is what the source says, nil for nothing.
    package struct Choice: Hashable, Sendable {
        package let word: String
        let raw: String?
    }

    /// What values look like.
    package enum Form: Hashable, Sendable {
        case text
        /// `YES` or `NO`; `usual` is the default where the source does not set it.
        case flag(usual: Bool)
        /// `YES`, `NO` or nothing.
        case statedFlag
        /// An integer of at least 0; 0 is not written.
        case count
        case choice([Choice])
        case entity
        case predicate
        case type
        /// A value of the attribute's type.
        case value
        /// A name of something else in the model.
        case name
        /// Names with commas between them.
        case names
    }

    /// Which items of the kind have the option.
    enum Scope: Hashable, Sendable {
        case all
        /// Attributes of these types.
        case types(Set<String>)
        case toMany
    }

    /// How the option is set where that is more than an attribute of the item's own element.
    enum Handling: Hashable, Sendable {
        case plain
        /// In the fetch request of a fetched property.
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

    /// The word by which it is set.
    package let name: String
    /// The attribute of the source, which is taken for the word too.
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

    /// The words that the option takes; none where values are not of a list.
    package var words: [String] {
        switch form {
        case .flag, .statedFlag: ["YES", "NO"]
        case .choice(let choices): choices.map(\.word)
        case .type: AttributeTypeName.all
        case .text, .count, .entity, .predicate, .value, .name, .names: []
        }
    }

    /// The values that the option takes, in words.
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

/// What is to become of an option; no value takes it away.
package struct OptionSetting: Hashable, Sendable {
    package let name: String
    package let value: String?

    package init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}
