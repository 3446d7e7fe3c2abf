import Foundation

extension NSUbiquitousKeyValueStore {
    /// The text of a key; nil if there is none, or another value.
    public func string(forKey aKey: String) -> String? { object(forKey: aKey) as? String }
    /// The array of a key; nil if there is none, or another value.
    public func array(forKey aKey: String) -> [Any]? { object(forKey: aKey) as? [Any] }
    /// The dictionary of a key; nil if there is none, or another value.
    public func dictionary(forKey aKey: String) -> [String: Any]? { object(forKey: aKey) as? [String: Any] }
    /// The bytes of a key; nil if there are none, or another value.
    public func data(forKey aKey: String) -> Data? { object(forKey: aKey) as? Data }
    /// The whole number of a key; 0 if there is none.
    public func longLong(forKey aKey: String) -> Int64 { number(aKey)?.int64Value ?? 0 }
    /// The number of a key; 0 if there is none.
    public func double(forKey aKey: String) -> Double { number(aKey)?.doubleValue ?? 0 }
    /// The truth of a key; false if there is none.
    public func bool(forKey aKey: String) -> Bool { number(aKey)?.boolValue ?? false }

    private func number(_ key: String) -> NSNumber? { object(forKey: key) as? NSNumber }

    /// Sets a text, or removes the value by nil.
    public func set(_ aString: String?, forKey aKey: String) { set(aString as Any?, forKey: aKey) }
    /// Sets bytes, or removes the value by nil.
    public func set(_ aData: Data?, forKey aKey: String) { set(aData as Any?, forKey: aKey) }
    /// Sets an array, or removes the value by nil.
    public func set(_ anArray: [Any]?, forKey aKey: String) { set(anArray as Any?, forKey: aKey) }
    /// Sets a dictionary, or removes the value by nil.
    public func set(_ aDictionary: [String: Any]?, forKey aKey: String) { set(aDictionary as Any?, forKey: aKey) }
    /// Sets a whole number.
    public func set(_ value: Int64, forKey aKey: String) { set(NSNumber(value: value) as Any?, forKey: aKey) }
    /// Sets a number.
    public func set(_ value: Double, forKey aKey: String) { set(NSNumber(value: value) as Any?, forKey: aKey) }
    /// Sets a truth.
    public func set(_ value: Bool, forKey aKey: String) { set(NSNumber(value: value) as Any?, forKey: aKey) }
}
