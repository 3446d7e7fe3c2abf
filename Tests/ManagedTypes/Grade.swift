/// A raw value as models store them.
public enum Grade: Int16 {
    case low = 1
    case high
}

/// What tags of things are.
public typealias Tags = [String]

/// Something around a name of the module.
public enum Shelter {
    /// A text as models store it.
    public enum Kind: String { case cave, tower }
}
