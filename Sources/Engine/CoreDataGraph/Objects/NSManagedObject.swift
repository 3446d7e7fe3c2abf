import CoreDataStore

/// One object of the graph: the values and relationships of one record, in one context.
///
/// An object belongs to its context's queue and is not `Sendable`; other threads pass its `objectID`.
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
    // Confined to the context's queue, and no access outlasts its statement.
    // They fill 56 bytes with the object's header, so that it takes up 64.
    /// Set before the initializer returns, never taken away.
    @exclusivity(unchecked) final var scope: ObjectScope?
    @exclusivity(unchecked) final var slab: RowSlab?
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    @exclusivity(unchecked) final var rowIndex: UInt16 = 0
    @exclusivity(unchecked) final var isIdentified = false
    @exclusivity(unchecked) final package internal(set) var key: Int64 = 0
    @exclusivity(unchecked) final var working: WorkingValues?

    /// Makes an object of an entity and, unless `context` is nil, inserts it there.
    ///
    /// Stops when the entity is abstract, or its class has nothing to do with the receiver's. A subclass that overrides this
    /// initializer is created through it for fetched rows too, then with a nil context.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        // An object for a row is made without a context; by this the class distinguishes it from those that property initializers
        // make.
        let offered = context == nil ? InitializerOffer.taken(by: type(of: self)) : nil
        scope = offered.map { Unmanaged<ObjectScope>.fromOpaque($0).takeRetainedValue() }
        super.init()
        if offered == nil { startUnsaved(entity: entity, context: context) }
    }

    /// Makes an object of the entity whose class is the receiver's and inserts it into a context.
    ///
    /// Serves `T(context:)` of a generic `T`, `Self(context:)` and classes kept in variables, as Apple's does: it is required,
    /// and so is an override of it. Stops when no entity of the context's model, or more than one, has the class.
    public required convenience init(context: NSManagedObjectContext) {
        self.init(entity: Self.entity(in: context), insertInto: context)
    }

    /// Makes an object of the receiver's entity without a context, and reports on standard error that another initializer
    /// should be used.
    ///
    /// Without such an entity in any model that a coordinator has loaded, the object has no properties: reading one stops.
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
        // Every initializer sets it, and nothing clears it.
        scope.unsafelyUnwrapped.binding
    }

    /// The objects of the context that the object lives in; nil where it lives in none.
    var registry: ObjectRegistry? { scope?.registry }

    final package var layout: EntityLayout { binding.layout }

    /// The properties of the class, in the order in which its accessors number them: those of its generated sources.
    ///
    /// Open-source Swift finds no property by its name at run time; this table is what stands in. A class without generated
    /// sources overrides it; one with them may, beginning with `super.propertyTable`. `PropertyTable.of(_:)` gives the table
    /// that counts, also for a generated class below one that overrides it.
    open class var propertyTable: PropertyTable { operations.generatedPropertyTable }

    /// The entity whose class is the receiver, once a coordinator has loaded the entity's model.
    ///
    /// Before that, and for a class that no model names, an entity of the class's name without properties, which is said on
    /// standard error; Apple's framework gives nil there, where none is expected.
    open class func entity() -> NSEntityDescription { knownEntity() }

    /// Whether changing a property that the model does not know leaves the object unchanged; always true here.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    /// The keys and key paths on which a key depends: at first those that the property table names.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        operations.presentPropertyTable.property(named: key)?.affecting ?? []
    }

    /// Whether `changeValue(forKey:_:)` notifies observers: false for properties of the model, which notify observers themselves.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
        KnownEntities.entity(of: self)?.propertiesByName[key] == nil
    }

    // MARK: Life cycle

    /// Called once, right after the object has been inserted; defaults that need code are set here.
    open func awakeFromInsert() {}

    /// Called each time the object's values have come from the store; changes made here are not tracked.
    open func awakeFromFetch() {}

    /// Called when undo, rollback, refresh or a merge has given the object other values.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before the object is deleted, while its relationships are still there.
    open func prepareForDeletion() {}

    /// Called for each changed object before it is saved; changes made here are saved with it.
    open func willSave() {}

    /// Called for each saved object after the save.
    open func didSave() {}

    /// Called before the object drops its values: when it is refreshed, its context reset, or its deletion saved.
    ///
    /// Not called when an object is freed, which a `deinit` of the class notices.
    open func willTurnIntoFault() {}

    /// Called after the object has dropped its values; what was made of them can be released.
    open func didTurnIntoFault() {}

    // MARK: Validation

    /// Checks every property, by the model's rules and then by the class's own, before the object's first save.
    ///
    /// An override calls `super` first, which does that, and adds what concerns several properties. A rule of the class's
    /// own may have replaced a value by then.
    /// - Throws: an `NSError` of `NSCocoaErrorDomain` (1550–1690), or what a rule of the class's own throws.
    open func validateForInsert() throws { try operations.validateAllProperties() }

    /// Checks all properties, changed or not, by the model's rules and then by the class's own, before changes are saved.
    ///
    /// A value that another program or an older model left without regard to the rules is refused too. No fault of another
    /// object fires: of a to-many relationship that has not been read, the store counts the members if their number is
    /// limited, and its other rules are not checked. Call it on the context's queue.
    /// - Throws: an `NSError` of `NSCocoaErrorDomain` (1550–1690), or what a rule of the class's own throws.
    open func validateForUpdate() throws { try operations.validateKnownProperties() }

    /// Checks, before the object's deletion is saved, that no relationship with the deny rule still has objects.
    ///
    /// - Throws: an `NSError` of `NSCocoaErrorDomain`: 1600 for one such relationship, 1560 for several.
    open func validateForDelete() throws { try operations.validateDenyRules() }

    /// Checks a proposed value of a property by the rules of a save, without setting it.
    ///
    /// The model's rules come first, then the class's own rule, which may replace the value that `value` points to. An override
    /// is called for every property that a save checks, with its value as an object; a replacement of the value is set.
    /// Apple recommends rules for single properties instead, which are part of the class's property table.
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

    /// Called by an accessor before it writes a property, and around each change of an attribute or to-one relationship where a
    /// class overrides it; an override calls `super`.
    open func willChangeValue(forKey key: String) {
        fireFaultIfNeeded()
        if let change = change(ofKey: key) {
            noteWillChange(change)
        } else if flags.contains(.observed) {
            operations.notifyWillChange(of: key, by: .setting)
        }
    }

    /// Called by an accessor after it has written a property, and after each change of an attribute or to-one relationship where
    /// a class overrides it; an override calls `super`.
    open func didChangeValue(forKey key: String) {
        if let change = change(ofKey: key) {
            noteDidChange(change)
        } else if flags.contains(.observed) {
            operations.notifyDidChange(of: key)
        }
    }

    /// The value of a property, through the class's own accessor where it has one; stops for an unknown key.
    open func value(forKey key: String) -> Any? { keyedValue(key) }

    /// Sets a property, through the class's own accessor where it has one; stops for an unknown key.
    open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, key) }

    /// Called by `value(forKey:)` for a key that the object does not have; stops unless overridden.
    open func value(forUndefinedKey key: String) -> Any? { stopForUndefinedKey(key) }

    /// Called by `setValue(_:forKey:)` for a key that the object does not have; stops unless overridden.
    open func setValue(_ value: Any?, forUndefinedKey key: String) { stopForUndefinedKey(key) }

    /// Whether the object was inserted, changed or deleted since the last save.
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Whether a property that is stored has another value than when it was last fetched or saved.
    ///
    /// A value set to its former value is not a change here, although `hasChanges` is true.
    open var hasPersistentChangedValues: Bool { hasChangedStoredValues }

    /// Whether the contents of a relationship have not been read yet; does not fire a fault.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isFault(key) }

    /// The identifiers of the objects at the other end of a relationship, without making these objects or their values.
    ///
    /// Those of an ordered relationship come in its order. Stops where the key is not a relationship.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { identifiers(key) }

    /// The committed values of properties: those of the last save or fetch, `NSNull` for nil; empty for a new object.
    ///
    /// A to-many relationship is included, with its members, if it was read or its key is among `keys`; transient attributes
    /// and fetched properties, which are not stored, never are.
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { committed(keys) }

    /// The properties changed since the last save or fetch with their present values, `NSNull` for nil.
    ///
    /// One that was set to an equal value is not among them; of a new object the committed values are the model's defaults.
    open func changedValues() -> [String: Any] { changed }

    /// The properties changed since changes were last processed, with the values before, `NSNull` for nil.
    ///
    /// Empty for an object that was inserted since. While `NSManagedObjectContextObjectsDidChange` is being posted it
    /// reports the event that the notification is about, until something else is changed. Takes time in proportion to
    /// the changes.
    open func changedValuesForCurrentEvent() -> [String: Any] { operations.changedInEvent }

    /// The members of an unordered to-many relationship as a set through which they are changed.
    ///
    /// It shows every later change, keeps the inverses, and may be changed while it is enumerated. Adding and removing
    /// load no members. On Linux a cast of it to a Swift `Set` gives an empty one: write `Set` of its `allObjects`, or
    /// cast what `value(forKey:)` gives. Stops where the key is not an unordered to-many relationship.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { operations.liveSet(key) }

    /// The members of an ordered to-many relationship as an ordered set through which they are changed and moved.
    ///
    /// It shows every later change, and keeps the inverses; making it loads the members. Where an object takes the place
    /// of another and is a member already, it moves. Stops where the key is not an ordered to-many relationship.
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

/// An object belongs to the queue of its context; what is passed elsewhere is its `objectID`.
@available(*, unavailable)
extension NSManagedObject: @unchecked Sendable {}
