/// As exact as the source can, with more effort.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As exact as the source can.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Within 3 km.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// All movements are reported.
public let kCLDistanceFilterNone: CLLocationDistance = -1
