import CoreDataGraph
import Foundation

/// The managed object that holds the values of a model in a context.
///
/// The model retains its record. The record refers to the model weakly, so that a context has one model for a record while
/// the program uses it; a record with unsaved changes retains the model, whose transient variables would be lost.
@usableFromInline
class ModelRecord: NSManagedObject {
    /// The model, if there is one.
    @exclusivity(unchecked) final weak var model: AnyObject?
    /// The model of an unsaved record.
    @exclusivity(unchecked) final var retainedModel: AnyObject?
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

    /// Returns the model of the record, which is made if there is none.
    func typedModel() -> Model? {
        if let model { return model as? Model }
        let made = Model(backingData: StoredBackingData(storage: ModelStorage(record: self)))
        model = made
        if hasChanges { retainedModel = made }
        return made
    }

    override class var propertyTable: PropertyTable {
        PropertyTable(ModelPlan.of(Model.self).properties.map { .stored($0.name) })
    }
}

extension NSManagedObject {
    /// The model of a record as one of a class; nil for a record of another class.
    func model<Model: PersistentModel>(as type: Model.Type) -> Model? {
        if let record = self as? ModelObject<Model> { return record.typedModel() }
        return (self as? ModelRecord)?.presentModel() as? Model
    }
}
