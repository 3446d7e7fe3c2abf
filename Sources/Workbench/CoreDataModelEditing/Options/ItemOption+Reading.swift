import CoreDataModeling

extension ItemOption {
    /// Why an item does not have the option; nil if it does.
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

    /// The value of an item's option, or its default; nil if neither exists.
    func value(of element: ModelElement) -> String? { place(in: element).flatMap { value(in: $0) } }

    /// Whether the source sets the option.
    func isStated(in element: ModelElement) -> Bool {
        guard let place = place(in: element) else { return false }
        switch handling {
        case .indexElements, .members: return true
        // A date may be given in seconds only.
        case .defaultValue, .limit: return place[attribute] != nil || value(in: place) != nil
        default: return place[attribute] != nil
        }
    }

    /// The element that has the option: the item's own, or the fetch request in it.
    func place(in element: ModelElement) -> ModelElement? {
        handling == .fetch ? element.elements.first { $0.name == "fetchRequest" } : element
    }

    /// The value of the option in an element.
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

    /// The attribute that has the seconds of a date beside its text.
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
    /// The options of an item, with their values.
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
    /// Nil where the entity names no class.
    var name: String?
    /// Empty for the module of the product; nil for the global name space.
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
