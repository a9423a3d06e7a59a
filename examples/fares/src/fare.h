#pragma once

// The price of a single ticket in cents. One to four zones; children up to five ride free, children
// from six to fourteen and people from 65 on pay half, and off-peak tickets cost a fifth less.
int fare_cents(int zones, int age, bool off_peak);
