extension NSExpression {
    /// The value at the end of a Swift key path, such as `\Hero.name`; stops for one that the root's type cannot name.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        guard let key = namedKey(of: keyPath) else { stop("\(Root.self) has no name for the key path \(keyPath)") }
        self.init(forKeyPath: key)
    }
}
