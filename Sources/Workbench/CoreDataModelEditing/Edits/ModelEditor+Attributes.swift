import CoreDataModeling

extension ModelEditor {
    /// Sets an attribute's type and removes settings that the new type does not have; a new attribute (`isFresh`) gets
    /// the type's default value instead, as in Xcode. Nil removes the type.
    mutating func setType(_ value: String?, of item: SourceItem, isFresh: Bool) throws {
        let path = try document.requiredPath(to: item)
        guard let value else { return try change { try $0.set(nil, for: "attributeType", at: path) } }
        guard let type = AttributeTypeName.named(value) else {
            let near = NameSuggestion(for: value, in: AttributeTypeName.all)?.question
            throw ModelEditError(
                .invalidValue, subject: "\(item)", cause: "there is no type '\(value)'",
                hint: near ?? "the types are " + AttributeTypeName.all.joined(separator: ", "))
        }
        let present = document.element(at: path)?["attributeType"]
        guard present != type else { return }
        try change { try $0.set(type, for: "attributeType", at: path) }
        if isFresh {
            try change { try $0.set(AttributeTypeName.freshDefault(of: type), for: "defaultValueString", at: path) }
        } else {
            try takeUnfit(for: type, present ?? "", at: path)
        }
        try settleScalar(type, at: path)
    }

    private mutating func takeUnfit(for type: String, _ before: String, at path: ModelPath) throws {
        guard let element = document.element(at: path) else { return }
        var unfit: [String] = []
        for option in SourceItemKind.attribute.options where option.attribute != "attributeType" {
            guard case .types(let types) = option.scope, !types.contains(type) else { continue }
            // The source stores the length limits of texts and the limits of numbers in the same XML attributes.
            unfit += [option.attribute, ItemOption.secondsAttribute(for: option.attribute)]
        }
        let areNumbers = AttributeTypeName.numbers.contains(type) && AttributeTypeName.numbers.contains(before)
        for attribute in ["minValueString", "maxValueString"] where areNumbers {
            unfit.removeAll { $0 == attribute }
            if let text = element[attribute], OptionValue.limit(text, type: type) == nil { unfit.append(attribute) }
        }
        if type == "Date" || before == "Date" {
            unfit += ["defaultValueString", "minValueString", "maxValueString", "defaultDateTimeInterval"]
            unfit += ["minDateTimeInterval", "maxDateTimeInterval"]
        } else if let text = element["defaultValueString"] {
            if OptionValue.written(text, type: type) == nil { unfit.append("defaultValueString") }
        }
        for attribute in Set(unfit) where element[attribute] != nil && attribute != "usesScalarValueType" {
            try change { try $0.set(nil, for: attribute, at: path) }
        }
    }

    /// Sets `usesScalarValueType` to Xcode's default for the type, if the source states it for attributes; else removes
    /// it.
    ///
    /// Does not change a stated value unless the type cannot be a scalar.
    private mutating func settleScalar(_ type: String, at path: ModelPath) throws {
        let fresh = AttributeTypeName.freshScalar(of: type)
        let present = document.element(at: path)?["usesScalarValueType"]
        guard fresh == nil || present == nil else { return }
        let value = fresh.flatMap { saysScalar ? $0 : nil }
        try change { try $0.set(value, for: "usesScalarValueType", at: path) }
    }

    /// Whether attributes of the source have `usesScalarValueType`, as Xcode writes it since version 8.
    ///
    /// Also true if the attribute that is set is the only one of a scalar type.
    private var saysScalar: Bool {
        let attributes = document.root.elements.flatMap(\.elements).filter {
            $0.name == "attribute" && AttributeTypeName.scalars.contains($0["attributeType"] ?? "")
        }
        return attributes.count <= 1 || attributes.contains { $0["usesScalarValueType"] != nil }
    }

    /// Sets a default value or a limit, written as the source writes values of the attribute's type; nil removes it.
    mutating func setValue(_ option: ItemOption, _ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        guard let element = document.element(at: path) else { return }
        let type = element["attributeType"] ?? ""
        let raw = try value.map { text in
            guard let raw = form(text, option: option, type: type) else {
                throw ModelEditError(
                    .invalidValue, subject: "\(item)", cause: "'\(option.name)' takes no '\(text)' for the type \(type)"
                )
            }
            return raw
        }
        guard raw != option.value(in: element) else { return }
        try change { try $0.set(raw, for: option.attribute, at: path) }
        let seconds = ItemOption.secondsAttribute(for: option.attribute)
        if type == "Date" || element[seconds] != nil {
            let date = type == "Date" ? value.flatMap(DateText.date).map(DateText.seconds) : nil
            try change { try $0.set(date, for: seconds, at: path) }
        }
        try checkLimits(of: item)
    }

    private func form(_ text: String, option: ItemOption, type: String) -> String? {
        if option.handling == .defaultValue { return OptionValue.written(text, type: type) }
        guard option.form == .count else { return OptionValue.limit(text, type: type) }
        return Int(text).flatMap { $0 >= 0 ? "\($0)" : nil }
    }

    private func checkLimits(of item: SourceItem) throws {
        let element = try document.requiredElement(of: item)
        let isDate = element["attributeType"] == "Date"
        let least = element[isDate ? "minDateTimeInterval" : "minValueString"].flatMap(Double.init)
        let greatest = element[isDate ? "maxDateTimeInterval" : "maxValueString"].flatMap(Double.init)
        guard let least, let greatest, least > greatest else { return }
        throw ModelEditError(
            .invalidValue, subject: "\(item)", cause: "the least value is above the greatest",
            hint: "set both at once, or the other first")
    }

    /// Makes an attribute a derived one with an expression; nil makes it an ordinary attribute.
    mutating func setDerivation(_ value: String?, of item: SourceItem) throws {
        let path = try document.requiredPath(to: item)
        try change {
            try $0.set(value == nil ? nil : "YES", for: "derived", at: path)
            try $0.set(value, for: "derivationExpression", at: path)
            // A derived attribute has no default value.
            if value != nil {
                try $0.set(nil, for: "defaultValueString", at: path)
                try $0.set(nil, for: "defaultDateTimeInterval", at: path)
            }
        }
    }
}
