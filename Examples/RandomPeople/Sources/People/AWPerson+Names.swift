import CoreData

/// The attributes that need no more than the model says.
extension AWPerson {
    @NSManaged var firstName: String?
    @NSManaged var lastName: String?
}
