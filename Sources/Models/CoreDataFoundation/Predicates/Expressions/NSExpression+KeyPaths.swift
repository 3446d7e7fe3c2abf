extension NSExpression {
    /// The value at a Swift key path, such as `\Hero.name`; stops the process if the root type does not name the key
    /// path.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        guard let key = namedKey(of: keyPath) else { stop("\(Root.self) has no name for the key path \(keyPath)") }
        self.init(forKeyPath: key)
    }
}
