import CoreDataGraph
import Foundation

/// The managed object that holds the values of a model in a context.
///
/// The model retains its record. The record refers to the model weakly, so that a context has one model for a record while
/// the program uses it; a record with unsaved changes retains the model, whose transient variables would be lost.
@usableFromInline
class ModelRecord: NSManagedObject {
    /// The model, if there is one.
    final weak var model: AnyObject?
    /// The model of an unsaved record.
    final var retainedModel: AnyObject?
    /// What the library knows of the model class.
    class var plan: ModelPlan { ModelPlan.empty }
    final var plan: ModelPlan { type(of: self).plan }

    /// Returns the model of the record, which is made if there is none.
    final func presentModel() -> any PersistentModel {
        if let model = model as? any PersistentModel { return model }
        let made = plan.makeModel(self)
        model = made
        if hasChanges { retainedModel = made }
        return made
    }
}

/// The managed objects of one model class. The class is the entity's by type and not by name, so that versions of a class
/// with one name are not confused.
@usableFromInline
final class ModelObject<Model: PersistentModel>: ModelRecord {
    override class var plan: ModelPlan { ModelPlan.of(Model.self) }
    override class var propertyTable: PropertyTable {
        PropertyTable(ModelPlan.of(Model.self).properties.map { .stored($0.name) })
    }
}
