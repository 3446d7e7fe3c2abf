import CoreData

/// The attributes that need no more than the model says.
#if canImport(ObjectiveC)
    extension AWPerson {
        @NSManaged var firstName: String?
        @NSManaged var lastName: String?
    }
#else
    extension AWPerson {
        var firstName: String? {
            get { attribute(0) }
            set { setAttribute(0, newValue) }
        }

        var lastName: String? {
            get { attribute(1) }
            set { setAttribute(1, newValue) }
        }
    }
#endif
