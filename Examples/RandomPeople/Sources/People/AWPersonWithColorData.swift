import CoreData

/// A person of the first version of the model: `eyeColor` is transient there, and `eyeColorData` is what is stored.
///
/// The data become a colour when that is first asked for, and the colour becomes data when the person is saved.
#if canImport(ObjectiveC)
    @objc(AWPersonWithColorData)
#endif
final class AWPersonWithColorData: AWPerson {
    override var eyeColor: EyeColor? {
        get {
            if let known = super.eyeColor { return known }
            let color = eyeColorData.flatMap(EyeColor.init(data:))
            if let color { setPrimitiveValue(color, forKey: "eyeColor") }
            return color
        }
        set {
            // The data change too, and are announced, so that undo brings both back.
            willChangeValue(forKey: "eyeColorData")
            super.eyeColor = newValue
            setPrimitiveValue(nil, forKey: "eyeColorData")
            didChangeValue(forKey: "eyeColorData")
        }
    }

    /// The colour as it is stored; nil until a new colour is saved.
    #if canImport(ObjectiveC)
        @objc
    #endif
    var eyeColorData: Data? {
        get {
            willAccessValue(forKey: "eyeColorData")
            defer { didAccessValue(forKey: "eyeColorData") }
            return primitiveValue(forKey: "eyeColorData") as? Data
        }
        set {
            willChangeValue(forKey: "eyeColorData")
            setPrimitiveValue(newValue, forKey: "eyeColorData")
            setPrimitiveValue(nil, forKey: "eyeColor")
            didChangeValue(forKey: "eyeColorData")
        }
    }

    override func willSave() {
        super.willSave()
        guard !isDeleted, let color = super.eyeColor, eyeColorData == nil else { return }
        setPrimitiveValue(color.data, forKey: "eyeColorData")
    }
}
