import CoreData

/// The attributes of the model, written by hand.
#if canImport(ObjectiveC)
    extension Hero {
        @NSManaged var name: String
        @NSManaged var secretIdentity: String
        @NSManaged var birthDate: Date?
        @NSManaged var sex: String?
    }
#else
    extension Hero {
        var name: String {
            get { attribute(0) ?? "" }
            set { setAttribute(0, Optional(newValue)) }
        }

        var secretIdentity: String {
            get { attribute(1) ?? "" }
            set { setAttribute(1, Optional(newValue)) }
        }

        var birthDate: Date? {
            get { attribute(2) }
            set { setAttribute(2, newValue) }
        }

        var sex: String? {
            get { attribute(3) }
            set { setAttribute(3, newValue) }
        }
    }
#endif
