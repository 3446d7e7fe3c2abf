import CoreDataLocalization
import CoreDataWorkbench

/// How tables show the values at the end of a key path.
extension KeyRoute {
    private var property: NSPropertyDescription? {
        switch end {
        case .attribute(let attribute), .element(let attribute, _, _): attribute
        case .relationship(let relationship): relationship
        case .count, .objectID, .entityName: nil
        }
    }

    /// The name of the property for people, which the model's `localizationDictionary` may have; else the path.
    var title: String {
        guard !text.contains("."), let property, let entity = property.entity,
            let model = entity.managedObjectModel
        else { return text }
        return model.localizedName(of: property, in: entity)
    }

    /// The style that the model names for the values; nil without one.
    var style: String? { property?.userInfo?[ValueStyle.userInfoKey] as? String }
}
