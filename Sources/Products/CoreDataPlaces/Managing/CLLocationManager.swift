import Foundation
import LockKit

/// Reports where the device is, enters and leaves, from a ``LocationSource``.
///
/// As Apple's class, with these differences: the source and who asks for permission are given to it, the delegate is
/// called on a queue (the main one at first), and fixes older than 60 seconds are ignored. Methods may be called from
/// any thread.
///
/// | wanted | the source |
/// |---|---|
/// | nothing | is stopped |
/// | updates, one location, significant changes or a region | runs, once the permission is there |
///
/// Invariants:
/// 1. The source runs only while `state.wanted` is not empty, a region is monitored, and the permission is there.
/// 2. All events of the source and calls to the delegate are on `queue`.
open class CLLocationManager: NSObject, @unchecked Sendable {
    struct Wanted: OptionSet {
        let rawValue: Int
        static let updates = Wanted(rawValue: 1)
        static let one = Wanted(rawValue: 2)
        static let significant = Wanted(rawValue: 4)
        static let regions = Wanted(rawValue: 8)
    }
    struct State {
        weak var delegate: (any CLLocationManagerDelegate)?
        var filter = LocationFilter()
        var wanted: Wanted = []
        var isRunning = false
        /// The number of the present run: events of an earlier one are dropped.
        var run = 0
        var regions: [String: MonitoredRegion] = [:]
    }

    let state = Locked(State())
    let source: any LocationSource
    let authorizer: LocationAuthorizer
    let queue: DispatchQueue
    private let clock: @Sendable () -> Date
    private let control = DispatchQueue(label: "CLLocationManager")
    /// The run for which the source was started; used on `control` alone.
    private var started: Int?

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - queue: Where the delegate is called, a serial queue.
    ///   - clock: The time by which the age of fixes is measured.
    public init(
        source: any LocationSource, authorizer: LocationAuthorizer, queue: DispatchQueue = .main,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.source, self.authorizer, self.queue, self.clock) = (source, authorizer, queue, clock)
    }

    deinit { source.stop() }

    /// What is called; not retained.
    open var delegate: (any CLLocationManagerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    /// The newest fix that was accepted; nil before the first.
    open var location: CLLocation? { state.withLock { $0.filter.last } }
    /// The user's answer so far.
    open var authorizationStatus: CLAuthorizationStatus { authorizer.status }
    /// How exact the one fix of ``requestLocation()`` must be, in metres; ``kCLLocationAccuracyBest`` takes 20 m.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock { $0.filter.desiredAccuracy } }
        set { state.withLock { $0.filter.desiredAccuracy = newValue } }
    }
    /// How far the device must move before the next update, in metres; ``kCLDistanceFilterNone`` at first.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock { $0.filter.distanceFilter } }
        set { state.withLock { $0.filter.distanceFilter = newValue } }
    }
    /// Fixes older than this many seconds are ignored; 60 at first.
    public var maximumAge: TimeInterval {
        get { state.withLock { $0.filter.maximumAge } }
        set { state.withLock { $0.filter.maximumAge = newValue } }
    }

    // MARK: Asking and updates

    /// Asks the user for permission, with the authorizer's text, unless there is an answer already.
    open func requestWhenInUseAuthorization() {
        let before = authorizer.status
        Task { [weak self, authorizer] in
            guard await authorizer.authorize() != before else { return }
            self?.notify { $0.locationManagerDidChangeAuthorization($1) }
        }
    }

    /// Begins updates: all fixes that are young enough. Asks for permission first if that was not done.
    open func startUpdatingLocation() {
        state.withLock { $0.filter.forgetReported() }
        want(.updates)
    }

    /// Ends updates.
    open func stopUpdatingLocation() { dismiss([.updates, .one]) }

    /// Reports the first fix that is as exact as ``desiredAccuracy``, once, and ends.
    open func requestLocation() { want(.one) }

    /// Begins updates for movements beyond 500 m.
    open func startMonitoringSignificantLocationChanges() {
        state.withLock { $0.filter.forgetSignificant() }
        want(.significant)
    }

    /// Ends updates for significant changes.
    open func stopMonitoringSignificantLocationChanges() { dismiss(.significant) }

    // MARK: Running the source

    func want(_ wanted: Wanted) {
        state.withLock { _ = $0.wanted.insert(wanted) }
        let before = authorizer.status
        Task { [weak self, authorizer] in
            let status = await authorizer.authorize()
            guard let self else { return }
            self.authorized(status, before)
        }
    }

    private func authorized(_ status: CLAuthorizationStatus, _ before: CLAuthorizationStatus) {
        if status != before { notify { $0.locationManagerDidChangeAuthorization($1) } }
        if let error = authorizer.refusal(status) { refuse(error) } else { run() }
    }

    func dismiss(_ wanted: Wanted) {
        state.withLock { state in
            state.wanted.subtract(wanted)
            guard state.wanted.isEmpty, state.isRunning else { return }
            state.isRunning = false
            state.run += 1
        }
        control.async { [weak self] in self?.follow() }
    }

    private func run() {
        state.withLock { state in
            guard !state.wanted.isEmpty, !state.isRunning else { return }
            state.isRunning = true
            state.run += 1
        }
        control.async { [weak self] in self?.follow() }
    }

    /// Starts or stops the source as the state asks; on `control` alone, so that the last request wins.
    private func follow() {
        let wanted = state.withLock { $0.isRunning ? $0.run : nil }
        guard wanted != started else { return }
        if started != nil { source.stop() }
        started = wanted
        guard let wanted else { return }
        source.start { [weak self, queue] event in queue.async { [weak self] in self?.receive(event, wanted) } }
    }

    private func refuse(_ error: CLError) {
        let regions = state.withLock { state in
            state.wanted = []
            return state.regions.values.map(\.region)
        }
        notify { $0.locationManager($1, didFailWithError: error) }
        for region in regions {
            notify {
                $0.locationManager($1, monitoringDidFailFor: region, withError: CLError(.regionMonitoringDenied))
            }
        }
    }

    func notify(_ call: @escaping @Sendable (any CLLocationManagerDelegate, CLLocationManager) -> Void) {
        queue.async { [self] in
            if let delegate { call(delegate, self) }
        }
    }

    private func receive(_ event: LocationEvent, _ run: Int) {
        guard state.withLock({ $0.run == run && $0.isRunning }) else { return }
        switch event {
        case .locations(let locations): receive(locations)
        case .failed(let error):
            delegate?.locationManager(self, didFailWithError: error)
            if error.code == .denied { dismiss([.updates, .one, .significant, .regions]) }
        case .ended:
            state.withLock { $0.isRunning = false }
            let misses = state.withLock { $0.wanted.remove(.one) != nil }
            if misses { delegate?.locationManager(self, didFailWithError: CLError(.locationUnknown)) }
            delegate?.locationManagerDidFinishUpdates(self)
        }
    }

    private func receive(_ locations: [CLLocation]) {
        let now = clock()
        let accepted = state.withLock { $0.filter.accepted(locations, now: now) }
        guard !accepted.isEmpty else { return }
        let (updates, good, significant) = state.withLock { state in
            let updates = state.wanted.contains(.updates) ? state.filter.moved(accepted) : []
            let good = state.wanted.contains(.one) ? accepted.first(where: state.filter.isGood) : nil
            if good != nil { state.wanted.remove(.one) }
            let changes = state.wanted.contains(.significant) ? state.filter.significant(accepted) : []
            return (updates, good, changes)
        }
        if good != nil { dismiss([]) }
        var reported = updates
        for location in [good].compactMap({ $0 }) + significant where !reported.contains(where: { $0 === location }) {
            reported.append(location)
        }
        reported.sort { $0.timestamp < $1.timestamp }
        if !reported.isEmpty { delegate?.locationManager(self, didUpdateLocations: reported) }
        for location in accepted { follow(location) }
    }
}
