import CoreData

/// The attributes of the model, written by hand.
extension Hero {
    var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    var secretIdentity: String {
        get { value(forKey: "secretIdentity") as? String ?? "" }
        set { setValue(newValue, forKey: "secretIdentity") }
    }

    var birthDate: Date? {
        get { value(forKey: "birthDate") as? Date }
        set { setValue(newValue, forKey: "birthDate") }
    }

    var sex: String? {
        get { value(forKey: "sex") as? String }
        set { setValue(newValue, forKey: "sex") }
    }
}
