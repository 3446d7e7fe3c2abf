import CoreDataModeling

extension ItemOption {
    /// The reason why the option does not apply to an item's element, as the end of a sentence; nil if it applies.
    func reasonAgainst(_ element: ModelElement) -> String? {
        switch scope {
        case .all: return nil
        case .types(let types):
            let type = element["attributeType"] ?? ""
            if types.contains(type) { return nil }
            let names = AttributeTypeName.all.filter(types.contains).joined(separator: ", ")
            return "is for attributes of type \(names), and this one is of type \(type.isEmpty ? "undefined" : type)"
        case .toMany: return element["toMany"] == "YES" ? nil : "is for relationships to many"
        }
    }

    /// The option's value in an item's element, or its default; nil if it has neither.
    func value(of element: ModelElement) -> String? { place(in: element).flatMap { value(in: $0) } }

    /// Whether the source states the option in an item's element; always true for lists.
    func isStated(in element: ModelElement) -> Bool {
        guard let place = place(in: element) else { return false }
        switch handling {
        case .indexElements, .members: return true
        // The source may state a date only as seconds, in another XML attribute.
        case .defaultValue, .limit: return place[attribute] != nil || value(in: place) != nil
        default: return place[attribute] != nil
        }
    }

    /// The element that stores the option: the item's own, or for a fetched property the fetch request in it.
    func place(in element: ModelElement) -> ModelElement? {
        handling == .fetch ? element.elements.first { $0.name == "fetchRequest" } : element
    }

    /// The option's value in the element that stores it, or its default; nil if it has neither.
    func value(in element: ModelElement) -> String? {
        let raw = element[attribute]
        switch (handling, form) {
        case (.className, _): return ClassName(element).name
        case (.module, _): return ClassName(element).moduleText
        case (.indexElements, _): return element.elements.map(Self.text(ofIndexElement:)).joined(separator: ",")
        case (.members, _): return element.elements.compactMap { $0["name"] }.joined(separator: ",")
        case (.defaultValue, _) where element["attributeType"] == "Date":
            return element["defaultDateTimeInterval"].map(DateText.text(ofSeconds:))
        case (.limit, _) where element["attributeType"] == "Date":
            return element[Self.secondsAttribute(for: attribute)].map(DateText.text(ofSeconds:))
        case (_, .flag(let usual)): return raw ?? (usual ? "YES" : "NO")
        case (_, .choice(let choices)):
            guard let raw else { return choices.first?.word }
            return choices.first { $0.raw == raw }?.word ?? raw
        default: return raw
        }
    }

    /// The XML attribute with the seconds of a date, which the source has in addition to the text in `attribute`.
    static func secondsAttribute(for attribute: String) -> String {
        switch attribute {
        case "minValueString": "minDateTimeInterval"
        case "maxValueString": "maxDateTimeInterval"
        default: "defaultDateTimeInterval"
        }
    }

    private static func text(ofIndexElement element: ModelElement) -> String {
        let name = element["property"] ?? element["expression"] ?? ""
        return (element["order"] == "descending" ? "-" : "") + name + (element["type"] == "RTree" ? ":rtree" : "")
    }
}

extension ModelDocument {
    /// The options that apply to an item, with their values, and whether the source states them.
    ///
    /// - Throws: `ModelEditError` of code `unknownItem`.
    package func options(of item: SourceItem) throws -> [(option: ItemOption, value: String?, isStated: Bool)] {
        let element = try requiredElement(of: item)
        return try kind(of: item).options.compactMap { option in
            guard option.reasonAgainst(element) == nil else { return nil }
            return (option, option.value(of: element), option.isStated(in: element))
        }
    }
}

/// The class of an entity: `Hero`, `Module.Hero`, or `.Hero` in the module of the product.
struct ClassName {
    /// The class without its module; nil if the entity names no class.
    var name: String?
    /// The module; empty for the current product's module, nil for a class without a module (global namespace).
    var module: String?

    init(_ element: ModelElement) {
        guard let text = element["representedClassName"], !text.isEmpty else { return }
        guard let point = text.lastIndex(of: ".") else {
            name = text
            return
        }
        name = String(text[text.index(after: point)...])
        module = String(text[..<point])
    }

    var moduleText: String? { module.map { $0.isEmpty ? "current" : $0 } }

    var text: String? { name.map { name in module.map { "\($0).\(name)" } ?? name } }
}
