import CoreDataFoundation

// Key patterns: Apple's page on `localizationDictionary`.
extension NSManagedObjectModel {
    /// The name of an entity as its users know it: translated, or as in the model.
    package func localizedName(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return localizationDictionary?["Entity/\(name)"] ?? name
    }

    /// The name of an entity's property as its users know it; a translation for the entity comes before a general one.
    ///
    /// Looked up for the entity, then for those that it inherits from.
    package func localizedName(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        guard let texts = localizationDictionary else { return property.name }
        let key = "Property/\(property.name)"
        let special = entity.lineage.reversed().lazy.compactMap { texts["\(key)/Entity/\($0.name ?? "")"] }.first
        return special ?? texts[key] ?? property.name
    }

    /// The text of an error, translated where the model has a translation.
    package func localizedErrorText(_ text: String) -> String {
        localizationDictionary?["ErrorString/\(text)"] ?? text
    }
}
