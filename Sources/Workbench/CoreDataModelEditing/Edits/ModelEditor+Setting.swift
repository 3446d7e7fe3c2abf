import CoreDataModeling

extension ModelEditor {
    /// Sets options of an item in the order of `SourceItemKind.options`, so that an option is set before those that
    /// depend on it.
    mutating func set(_ settings: [OptionSetting], of item: SourceItem, isFresh: Bool = false) throws {
        guard !settings.isEmpty else { return }
        let options = try document.kind(of: item).options
        let chosen = try settings.map { setting in
            (
                setting,
                try Self.option(
                    setting.name, among: options, element: try document.requiredElement(of: item), item: item)
            )
        }
        let names = chosen.map(\.1.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw ModelEditError(.malformedEdit, subject: "\(item)", cause: "'\(twice)' is set twice")
        }
        let order = Dictionary(options.enumerated().map { ($1.name, $0) }) { first, _ in first }
        for (setting, option) in chosen.sorted(by: { order[$0.1.name] ?? 0 < order[$1.1.name] ?? 0 }) {
            try set(option, to: setting.value, of: item, isFresh: isFresh)
        }
    }

    /// The option with a name, else an option that is stored in the XML attribute of that name: preferably one that
    /// applies to the item, since several options can share an attribute.
    private static func option(
        _ name: String, among options: [ItemOption], element: ModelElement, item: SourceItem
    ) throws -> ItemOption {
        if let option = options.first(where: { $0.name == name }) { return option }
        let found = options.filter { $0.attribute == name }
        if let option = found.first(where: { $0.reasonAgainst(element) == nil }) ?? found.first { return option }
        let near = NameSuggestion(for: name, in: options.map(\.name))
        throw ModelEditError(
            .notApplicable, subject: "\(item)", cause: "there is no option '\(name)'",
            hint: near?.question ?? "the options are "
                + (options.isEmpty ? "none" : options.map(\.name).joined(separator: ", ")))
    }

    private mutating func set(_ option: ItemOption, to value: String?, of item: SourceItem, isFresh: Bool) throws {
        let element = try document.requiredElement(of: item)
        // An option that does not apply to the item can still be removed.
        if let value {
            if let reason = option.reasonAgainst(element) {
                throw ModelEditError(.notApplicable, subject: "\(item)", cause: "'\(option.name)' \(reason)")
            }
            // A value that the source already has, also by default, is not rewritten; an inverse is, since the other
            // side may lack it.
            if option.handling != .inverse, option.value(of: element) == value { return }
        }
        switch option.handling {
        case .plain: try setPlain(option, value: value, at: document.requiredPath(to: item), item: item)
        case .fetch: try setPlain(option, value: value, at: fetchPath(of: item), item: item)
        case .type: try setType(value, of: item, isFresh: isFresh)
        case .defaultValue, .limit: try setValue(option, value, of: item)
        case .derivation: try setDerivation(value, of: item)
        case .toMany: try setToMany(option, value, of: item)
        case .counts: try setCount(option, value, of: item)
        case .destination: try setDestination(value, of: item)
        case .inverse: try setInverse(value, of: item)
        case .parent: try setParent(value, of: item)
        case .className, .module: try setClass(option, value, of: item)
        case .indexElements: try setIndexElements(value, of: item)
        case .members: try setMembers(value, of: item)
        }
    }

    /// Sets the option's XML attribute of the element at a path, written by the option's form.
    private mutating func setPlain(
        _ option: ItemOption, value: String?, at path: ModelPath, item: SourceItem
    ) throws {
        guard let element = document.element(at: path) else { return }
        var raw = try value.flatMap { try written($0, option: option, item: item) }
        if case .flag(let usual) = option.form, let value {
            let present = element[option.attribute] ?? (usual ? "YES" : "NO")
            if OptionValue.flag(value) == OptionValue.flag(present) { return }
            if option.attribute == "syncable", usual, OptionValue.flag(value) == true { raw = "YES" }
        }
        try change { try $0.set(raw, for: option.attribute, at: path) }
    }

    /// The text that the source has for a value; nil if the source omits it because it is the default.
    private func written(_ value: String, option: ItemOption, item: SourceItem) throws -> String? {
        func refusal(_ cause: String, hint: String? = nil) -> ModelEditError {
            ModelEditError(.invalidValue, subject: "\(item)", cause: "'\(option.name)' \(cause)", hint: hint)
        }
        switch option.form {
        case .flag(let usual):
            guard let flag = OptionValue.flag(value) else { throw refusal("takes YES or NO, not '\(value)'") }
            return flag == usual ? nil : flag ? "YES" : "NO"
        case .statedFlag:
            guard let flag = OptionValue.flag(value) else { throw refusal("takes YES or NO, not '\(value)'") }
            return flag ? "YES" : "NO"
        case .count:
            guard let count = Int(value), count >= 0 else {
                throw refusal("takes a whole number of at least 0, not '\(value)'")
            }
            return count == 0 ? nil : "\(count)"
        case .choice(let choices):
            guard let choice = choices.first(where: { $0.word == value || $0.raw == value }) else {
                throw refusal("takes \(choices.map(\.word).joined(separator: ", ")), not '\(value)'")
            }
            return choice.raw
        case .entity:
            try requireEntity(value)
            return value
        case .name where option.attribute == "composite":
            _ = try document.requiredPath(to: .composite(value))
            return value
        case .predicate:
            do { _ = try NSPredicate(parsing: value) } catch let error as PredicateParseError {
                throw refusal("does not parse at character \(error.position + 1): found \(error.found)")
            }
            return value
        case .text, .type, .value, .name, .names: return value
        }
    }

    /// The path to the fetch request of a fetched property; adds the fetch request if it is missing.
    private mutating func fetchPath(of item: SourceItem) throws -> ModelPath {
        let path = try document.requiredPath(to: item)
        let fetch = path.step("fetchRequest")
        if document.element(at: fetch) == nil {
            let element = ModelElement("fetchRequest", [ModelAttribute("name", "fetchedPropertyFetchRequest")])
            try change { try $0.add(element, to: path) }
        }
        return fetch
    }
}
