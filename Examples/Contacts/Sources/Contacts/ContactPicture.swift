import CoreData

/// The picture of one contact. A picture whose contact has another one, or none, is deleted when that is saved.
public class ContactPicture: NSManagedObject {
    public override func willSave() {
        super.willSave()
        if contact == nil, !isDeleted { managedObjectContext?.delete(self) }
    }
}
