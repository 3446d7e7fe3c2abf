import CoreDataFoundation

// Key patterns: Apple's page on `localizationDictionary`.
extension NSManagedObjectModel {
    /// The name of an entity for users: its translation, or the name in the model.
    package func localizedName(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return localizationDictionary?["Entity/\(name)"] ?? name
    }

    /// The name of a property for users: its translation, or the name in the model.
    ///
    /// A translation for the entity is preferred, then one for an ancestor, the nearest first, then one for any entity.
    package func localizedName(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        guard let texts = localizationDictionary else { return property.name }
        let key = "Property/\(property.name)"
        let special = entity.lineage.reversed().lazy.compactMap { texts["\(key)/Entity/\($0.name ?? "")"] }.first
        return special ?? texts[key] ?? property.name
    }

    /// The translation of an error's text, or the text itself if the model has no translation.
    package func localizedErrorText(_ text: String) -> String {
        localizationDictionary?["ErrorString/\(text)"] ?? text
    }
}
