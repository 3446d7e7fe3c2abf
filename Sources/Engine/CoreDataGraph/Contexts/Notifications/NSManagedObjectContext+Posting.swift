import CoreDataStore

private let gate = PostingGate()

extension NSManagedObjectContext {
    func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        gate.passing { NotificationCenter.default.post(name: name, object: self, userInfo: userInfo) }
    }
}

extension Dictionary where Key == String {
    /// The same in the form of a notification; the compiler's own conversion looks up at run time how to cast each value.
    var forNotification: [AnyHashable: Any] {
        var info = [AnyHashable: Any](minimumCapacity: count)
        for (key, value) in self { info[key] = value }
        return info
    }
}
