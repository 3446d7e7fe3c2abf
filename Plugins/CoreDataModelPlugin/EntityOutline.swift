import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What the file names of an entity's sources depend on.
///
/// The compiler reads models itself, with all that there is to check; a plugin cannot share code with it, and needs no more
/// than this.
struct EntityOutline {
    let className: String
    let generation: String

    /// The files that Xcode makes for the entity.
    var fileNames: [String] {
        switch generation {
        case "class": ["\(ownName)+CoreDataClass.swift", "\(ownName)+CoreDataProperties.swift"]
        case "category": ["\(className)+CoreDataProperties.swift"]
        default: []
        }
    }

    /// The name of a class that is generated: without the module that the model may have before it.
    private var ownName: Substring { className.split(separator: ".").last ?? "" }

    /// The entities in a model's source that have classes; of a malformed file those before its first fault.
    static func read(_ contents: URL) -> [EntityOutline] {
        guard let data = try? Data(contentsOf: contents) else { return [] }
        let collector = Collector()
        let parser = XMLParser(data: data)
        parser.delegate = collector
        _ = parser.parse()
        return collector.entities
    }

    private final class Collector: NSObject, XMLParserDelegate {
        var entities: [EntityOutline] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard name == "entity", let named = attributes["representedClassName"],
                let generation = attributes["codeGenerationType"]
            else { return }
            let className = named.hasPrefix(".") ? String(named.dropFirst()) : named
            guard !className.isEmpty, className != "NSManagedObject", !className.contains("/") else { return }
            entities.append(EntityOutline(className: className, generation: generation))
        }
    }
}
