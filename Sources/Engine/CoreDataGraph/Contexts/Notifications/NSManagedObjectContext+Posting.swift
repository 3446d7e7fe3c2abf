import CoreDataStore

private let gate = PostingGate()

extension NSManagedObjectContext {
    func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        gate.passing { NotificationCenter.default.post(name: name, object: self, userInfo: userInfo) }
    }
}

extension Dictionary where Key == String {
    /// The dictionary as a user info; faster than the compiler's conversion, which looks up a cast for each value at
    /// run time.
    var forNotification: [AnyHashable: Any] {
        var info = [AnyHashable: Any](minimumCapacity: count)
        for (key, value) in self { info[key] = value }
        return info
    }
}
