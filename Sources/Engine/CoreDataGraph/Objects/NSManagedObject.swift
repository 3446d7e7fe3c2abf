import CoreDataStore

/// One object of the graph: the values and relationships of one record, in one context.
///
/// An object may be used only on its context's queue and is not `Sendable`; pass its `objectID` to other threads.
///
/// Invariants:
/// 1. Unless `isFault`, `slab` and `rowIndex` give the snapshot: the row as last read or saved, or the entity's
///    default values for an object that was never saved. A fault may keep a snapshot for when it fires.
/// 2. `working` has differences from the snapshot, decoded values and relationship contents; it is empty in a fault.
/// 3. While `registry` is set and `flags` has `.registered`, the registry's table `binding.table` has the object at
///    `key`; `deinit` removes it.
/// 4. A changed object (`.inserted`, `.updated`, `.deleted`) is retained by its context's list of pending objects.
/// 5. `identifiers` has the object only if `isIdentified`: a byte of its own, since any thread may read the identifier.
/// 6. Once others can know the object, `scope`, `key` and `isIdentified` change only in `move(to:key:)`, under the
///    lock of `identifiers`, under which other threads read them.
///
/// ```swift
/// final class Customer: NSManagedObject {
///     @NSManaged var name: String?
///     @NSManaged var orders: Set<Order>
///
///     override func awakeFromInsert() {
///         super.awakeFromInsert()
///         name = "New customer"
///     }
/// }
/// ```
open class NSManagedObject: NSObject, MutableKeyValueCoding {
    // These properties are used only on the context's queue, and no access outlasts its statement. With the object's
    // header they fill 56 bytes, so that an object occupies 64.
    /// Set before the initializer returns, and never nil afterwards.
    @exclusivity(unchecked) final var scope: ObjectScope?
    @exclusivity(unchecked) final var slab: RowSlab?
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    @exclusivity(unchecked) final var rowIndex: UInt16 = 0
    @exclusivity(unchecked) final var isIdentified = false
    @exclusivity(unchecked) final package internal(set) var key: Int64 = 0
    @exclusivity(unchecked) final var working: WorkingValues?

    /// Makes an object of an entity and, unless `context` is nil, inserts it there.
    ///
    /// Stops if the entity is abstract, or if its class is neither the receiver, a superclass nor a subclass of it. If
    /// a subclass overrides this initializer, the library also calls it for each fetched object, with a nil context.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        // The library makes an object for a row with a nil context, and first offers a scope for its class. Without
        // that offer, the call is the program's, for example by a property initializer of the class.
        let offered = context == nil ? InitializerOffer.taken(by: type(of: self)) : nil
        scope = offered.map { Unmanaged<ObjectScope>.fromOpaque($0).takeRetainedValue() }
        super.init()
        if offered == nil { startUnsaved(entity: entity, context: context) }
    }

    /// Makes an object of the entity whose class is the receiver's and inserts it into a context.
    ///
    /// Since it is required, `T(context:)` of a generic `T`, `Self(context:)` and classes in variables can call it, as
    /// with Apple's framework; an override must be `required` too. Stops if not exactly one entity of the context's
    /// model has the class.
    public required convenience init(context: NSManagedObjectContext) {
        self.init(entity: Self.entity(in: context), insertInto: context)
    }

    /// Makes an object of the receiver's entity without a context, and reports on standard error that another
    /// initializer should be used.
    ///
    /// If no model that a coordinator has loaded has such an entity, the object has no properties: reading one stops.
    override public convenience init() {
        CoreDataLogging.report(
            .error,
            "Failed to call designated initializer on NSManagedObject class '\(Self.self)': use "
                + "init(entity:insertInto:), or init(context:) where one entity has the class.")
        self.init(entity: KnownEntities.entity(of: Self.self) ?? KnownEntities.unclaimed(Self.self), insertInto: nil)
    }

    deinit {
        if flags.contains(.observed) { operations.forgetObservers() }
        if flags.contains(.associated) { operations.forgetAssociations() }
        if isIdentified { Self.identifiers.remove(self) }
        if working != nil { ReleaseChain.release(&working) }
        guard flags.contains(.registered), let registry else { return }
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        registry.unregister(pointer, table: binding.table, key: key)
    }

    /// The entity and store of the object.
    var binding: EntityBinding {
        // Every initializer sets `scope`, and it is never set to nil.
        scope.unsafelyUnwrapped.binding
    }

    /// The identity table of the object's context; nil for an object without a context.
    var registry: ObjectRegistry? { scope?.registry }

    final package var layout: EntityLayout { binding.layout }

    /// The properties of the class, in the order of the numbers by which its accessors refer to them. The default is
    /// the table in the class's generated sources.
    ///
    /// Open-source Swift cannot look up a property by its name at run time; it is looked up in this table instead. A
    /// class without generated sources overrides it; one with generated sources may, if its table begins with
    /// `super.propertyTable`. `PropertyTable.of(_:)` returns the table that is used, also for a generated class whose
    /// superclass overrides this property.
    open class var propertyTable: PropertyTable { operations.generatedPropertyTable }

    /// The entity whose class is the receiver, in a model that a coordinator has loaded.
    ///
    /// Before that, and for a class that no model names, it returns an entity without properties that has the class's
    /// name, and reports that on standard error. Apple's framework returns nil there, although the return type is not
    /// optional.
    open class func entity() -> NSEntityDescription { knownEntity() }

    /// Whether changing a property that the model does not know leaves the object unchanged; always true here.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    /// The keys and key paths on which a key depends: by default those that the property table names.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        operations.presentPropertyTable.property(named: key)?.affecting ?? []
    }

    /// Whether `changeValue(forKey:_:)` notifies observers: by default false for properties of the model, whose
    /// accessors notify observers themselves.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        KnownEntities.entity(of: self)?.propertiesByName[key] == nil
    }

    // MARK: Life cycle

    /// Called once, right after the object has been inserted; defaults that need code are set here.
    open func awakeFromInsert() {}

    /// Called each time a fault has read its values; changes made here are not tracked.
    open func awakeFromFetch() {}

    /// Called after undo, rollback, refreshing or a merge policy has given the object other values.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before the object is marked as deleted, while its relationships are unchanged.
    open func prepareForDeletion() {}

    /// Called for each changed object before it is saved; changes made here are saved with it.
    open func willSave() {}

    /// Called for each saved object after the save.
    open func didSave() {}

    /// Called before the object drops its values as it is refreshed, its context is reset, or its deletion was saved.
    ///
    /// Not called when an object is deallocated; use a `deinit` of the class for that.
    open func willTurnIntoFault() {}

    /// Called after the object has dropped its values; an override can release what it derived from them.
    open func didTurnIntoFault() {}

    // MARK: Validation

    /// Checks every property, by the model's rules and then by the class's own, before the object's first save.
    ///
    /// An override calls `super` first, which checks the single properties, and then adds rules that concern several
    /// properties. A rule of the class may already have replaced a value.
    /// - Throws: an `NSError` of `NSCocoaErrorDomain` (1550–1690), or what a rule of the class throws.
    open func validateForInsert() throws { try operations.validateAllProperties() }

    /// Checks all properties, changed or not, by the model's rules and then by the class's own, before changes are
    /// saved.
    ///
    /// A value that breaks the rules because another program or an older model stored it is refused too. No fault of
    /// another object fires: if a to-many relationship has not been read and its number of members is limited, the
    /// store counts the members; the relationship's other rules are not checked. Call it on the context's queue.
    /// - Throws: an `NSError` of `NSCocoaErrorDomain` (1550–1690), or what a rule of the class throws.
    open func validateForUpdate() throws { try operations.validateKnownProperties() }

    /// Checks, before the object's deletion is saved, that no relationship with the deny rule still has objects.
    ///
    /// - Throws: an `NSError` of `NSCocoaErrorDomain`: 1600 for one such relationship, 1560 for several.
    open func validateForDelete() throws { try operations.validateDenyRules() }

    /// Checks a proposed value of a property by the rules of a save, without setting it.
    ///
    /// Checks the model's rules first, then the class's own rule, which may replace the value that `value` points to. A
    /// save calls an override for every property that it checks, with the property's value as an object, and sets a
    /// replaced value. Apple recommends rules for single properties instead, which are part of the class's property
    /// table.
    ///
    /// - Throws: the error that a save would throw; an error of code 1550, 1650 or 1690 for a value of another type.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try operations.checkValue(at: value, key)
    }

    // MARK: Access by key

    /// Called by an accessor before it reads a property; fires the object's fault.
    open func willAccessValue(forKey key: String?) {
        if flags.contains(.guarded) { checkQueue(key.map { "'\($0)'" } ?? #function) }
        fireFaultIfNeeded()
    }

    /// Called by an accessor after it has read a property.
    open func didAccessValue(forKey key: String?) {}

    /// Called by an accessor before it writes a property. If a class overrides this method, it is called before each
    /// change of an attribute or to-one relationship; the override calls `super`.
    open func willChangeValue(forKey key: String) {
        fireFaultIfNeeded()
        if let change = change(ofKey: key) {
            noteWillChange(change)
        } else if flags.contains(.observed) {
            operations.notifyWillChange(of: key, by: .setting)
        }
    }

    /// Called by an accessor after it has written a property. If a class overrides this method, it is called after each
    /// change of an attribute or to-one relationship; the override calls `super`.
    open func didChangeValue(forKey key: String) {
        if let change = change(ofKey: key) {
            noteDidChange(change)
        } else if flags.contains(.observed) {
            operations.notifyDidChange(of: key)
        }
    }

    /// Returns the value of a property, through the class's own accessor if it has one; calls `value(forUndefinedKey:)`
    /// for an unknown key.
    open func value(forKey key: String) -> Any? { keyedValue(key) }

    /// Sets a property, through the class's own accessor if it has one; calls `setValue(_:forUndefinedKey:)` for an
    /// unknown key.
    open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, key) }

    /// Called by `value(forKey:)` for a key that the object does not have; stops unless overridden.
    open func value(forUndefinedKey key: String) -> Any? { stopForUndefinedKey(key) }

    /// Called by `setValue(_:forKey:)` for a key that the object does not have; stops unless overridden.
    open func setValue(_ value: Any?, forUndefinedKey key: String) { stopForUndefinedKey(key) }

    /// Whether the object was inserted, changed or deleted since the last save.
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Whether the value of a stored property differs from the one that was last fetched or saved.
    ///
    /// Setting a property to an equal value does not make this true, although it makes `hasChanges` true.
    open var hasPersistentChangedValues: Bool { hasChangedStoredValues }

    /// Whether the contents of a relationship have not been read yet; does not fire a fault.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isFault(key) }

    /// Returns the identifiers of the objects at the other end of a relationship, without creating faults for a to-many
    /// relationship that was not read.
    ///
    /// The identifiers of an ordered relationship are in its order. Stops if the key is not a relationship.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { identifiers(key) }

    /// Returns the committed values of properties: those last saved or fetched, `NSNull` for nil; empty for a new
    /// object.
    ///
    /// A to-many relationship is included, with its members, if it was read or its key is among `keys`. Transient
    /// attributes and fetched properties, which are not stored, are never included.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { committed(keys) }

    /// Returns the properties changed since the last save or fetch with their present values, `NSNull` for nil.
    ///
    /// A property that was set to an equal value is not included. For a new object, values are compared with the
    /// model's defaults.
    open func changedValues() -> [String: Any] { changed }

    /// Returns the properties changed since changes were last processed, with their values before, `NSNull` for nil.
    ///
    /// Empty for an object that was inserted since then. While `NSManagedObjectContextObjectsDidChange` is being
    /// posted, it returns the changes of the event that the notification reports, until something else is changed.
    /// Takes time in proportion to the number of recorded changes.
    open func changedValuesForCurrentEvent() -> [String: Any] { operations.changedInEvent }

    /// Returns a mutable set of the members of an unordered to-many relationship; changing it changes the relationship.
    ///
    /// It shows every later change, updates the inverses, and may be changed while it is enumerated. Adding and
    /// removing load no members. On Linux, casting it to a Swift `Set` gives an empty set: write `Set` of its
    /// `allObjects`, or cast the result of `value(forKey:)`. Stops if the key is not an unordered to-many relationship.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { operations.liveSet(key) }

    /// Returns a mutable ordered set of the members of an ordered to-many relationship; changing it changes the
    /// relationship.
    ///
    /// It shows every later change and updates the inverses; this method loads the members. Replacing a member by an
    /// object that is a member already moves that object. Stops if the key is not an ordered to-many relationship.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        operations.liveOrderedSet(key)
    }

    // MARK: NSObject

    /// Objects are equal when they are the same object: a context makes only one for a record.
    override open func isEqual(_ object: Any?) -> Bool {
        // A cast to the class would take several times as long.
        object.map { ($0 as AnyObject) === self } == true
    }

    /// The text for messages and logs.
    override open var description: String { descriptionText }

    /// Equal objects have equal hashes.
    override open var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }
}

/// An object may be used only on the queue of its context; pass its `objectID` to other threads.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}
